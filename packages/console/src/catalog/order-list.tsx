import { ActionIcon } from '@mantine/core'
import {
  type KeyboardEvent,
  type ReactNode,
  type PointerEvent as ReactPointerEvent,
  useEffect,
  useRef,
  useState,
} from 'react'
import classes from './order-list.module.css'

interface OrderListProps<T> {
  readonly label: string
  readonly items: readonly T[]
  readonly idOf: (item: T) => string
  readonly titleOf: (item: T) => string
  readonly children: (item: T) => ReactNode
  /** Undefined for users who may not order it. */
  readonly onOrder: ((items: readonly T[]) => void) | undefined
  readonly onRemove?: ((item: T) => void) | undefined
}

/** So near to an edge of the window the page scrolls by itself. */
const EDGE = 60
const EDGE_STEP = 10

/** A list whose order is changed with the mouse, with a finger, or with keys. */
export function OrderList<T>(props: OrderListProps<T>) {
  const { label, items, idOf, titleOf, children, onOrder, onRemove } = props
  const list = useRef<HTMLOListElement>(null)
  const [dragged, setDragged] = useState<string>()
  const [message, setMessage] = useState('')
  const moved = useRef<string>(undefined)
  const newest = useRef(items)
  newest.current = items

  // An element that changes its place loses the focus.
  useEffect(() => {
    if (moved.current === undefined) return
    const row = [...(list.current?.children ?? [])].at(
      items.findIndex((item) => idOf(item) === moved.current),
    )
    row?.querySelector<HTMLElement>('button')?.focus()
    moved.current = undefined
  })

  const move = (id: string, to: number) => {
    const from = newest.current.findIndex((item) => idOf(item) === id)
    const item = newest.current[from]
    if (item === undefined || to === from || to < 0 || to >= newest.current.length) return
    const next = newest.current.toSpliced(from, 1).toSpliced(to, 0, item)
    newest.current = next
    onOrder?.(next)
    setMessage(`${titleOf(item)}: ${to + 1} of ${next.length}`)
  }
  const press = (id: string, at: number) => (event: KeyboardEvent) => {
    const to = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: items.length - 1 }[event.key]
    if (to === undefined) return
    event.preventDefault()
    moved.current = id
    move(id, to)
  }
  const drag = (id: string) => (event: ReactPointerEvent) => {
    if (event.button !== 0) return
    let clientY = event.clientY
    let frame = 0
    const follow = () => {
      if (clientY < EDGE) scrollBy(0, -EDGE_STEP)
      else if (clientY > innerHeight - EDGE) scrollBy(0, EDGE_STEP)
      const to = [...(list.current?.children ?? [])].findIndex((row) => {
        const { top, bottom } = row.getBoundingClientRect()
        return clientY >= top && clientY < bottom
      })
      if (to >= 0) move(id, to)
      frame = requestAnimationFrame(follow)
    }
    const onMove = (to: PointerEvent) => {
      clientY = to.clientY
    }
    const stop = () => {
      cancelAnimationFrame(frame)
      removeEventListener('pointermove', onMove)
      removeEventListener('pointerup', stop)
      removeEventListener('pointercancel', stop)
      setDragged(undefined)
    }
    addEventListener('pointermove', onMove)
    addEventListener('pointerup', stop)
    addEventListener('pointercancel', stop)
    setDragged(id)
    frame = requestAnimationFrame(follow)
  }
  return (
    <>
      <ol ref={list} className={classes['list']} aria-label={label}>
        {items.map((item, at) => (
          <li key={idOf(item)} className={classes['row']} data-dragged={dragged === idOf(item) || undefined}>
            {onOrder !== undefined && (
              <button
                type="button"
                className={classes['handle']}
                aria-label={`Move ${titleOf(item)}, ${at + 1} of ${items.length}`}
                title="Drag, or press ↑ ↓ Home End"
                onPointerDown={drag(idOf(item))}
                onKeyDown={press(idOf(item), at)}
              >
                <span aria-hidden="true">⠿</span>
              </button>
            )}
            <span className={classes['number']}>{at + 1}</span>
            <div className={classes['content']}>{children(item)}</div>
            {onRemove !== undefined && (
              <ActionIcon
                variant="default"
                aria-label={`Remove ${titleOf(item)}`}
                onClick={() => onRemove(item)}
              >
                ×
              </ActionIcon>
            )}
          </li>
        ))}
      </ol>
      <p className={classes['message']} role="status">
        {message}
      </p>
    </>
  )
}
