// biome-ignore-all lint/a11y/useSemanticElements: a table cannot be drawn in part.
// biome-ignore-all lint/a11y/useFocusableInteractive: the grid has the focus, and names the active cell.
import { useQueryClient } from '@tanstack/react-query'
import {
  type KeyboardEvent,
  type MouseEvent,
  type RefObject,
  useEffect,
  useImperativeHandle,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { serverNowMs } from '../shared/server-time.ts'
import type { Channel, Program } from '../shared/wire-types.ts'
import { GridHeader } from './grid-header.tsx'
import { arrowTarget, type Cursor } from './grid-keys.ts'
import { cursorId, type Ghost, GridRow } from './grid-row.tsx'
import {
  msAt,
  ROW_HEIGHT,
  rowsIn,
  type Scale,
  SNAP_MS,
  snap,
  timeIn,
  type Viewport,
  widthOf,
  xOf,
} from './grid-scale.ts'
import { createMotion, type Motion } from './motion.ts'
import { NowLine } from './now-line.tsx'
import { readCells } from './programs-query.ts'
import { type Cell, cellAt, keyOf } from './row-cells.ts'
import classes from './time-grid.module.css'
import { useGridDrag } from './use-grid-drag.ts'
import type { ZoneClock } from './zone-clock.ts'

export interface GridHandle {
  /** Shows a time near the left edge. */
  readonly showTime: (ms: number) => void
  readonly focus: () => void
}

export interface TimeGridProps {
  readonly handle: RefObject<GridHandle | null>
  readonly channels: readonly Channel[]
  readonly scale: Scale
  readonly clock: ZoneClock
  readonly selectedKey: string | undefined
  /** When the schedules end that end soon, by the ids of their channels; null where nothing is scheduled. */
  readonly ends: ReadonlyMap<string, number | null>
  readonly mayMove: (program: Program) => boolean
  readonly mayCreate: boolean
  readonly onOpen: (channel: Channel, cell: Cell) => void
  readonly onMove: (channel: Channel, program: Program, startMs: number) => void
  readonly onCreate: (channel: Channel, startMs: number, endMs: number | undefined) => void
}

/** After this long without a scroll, what is in sight is read, and labels are brought into sight. */
const SETTLE_MS = 120

/** Keys lead to cells so far beyond what is drawn. */
const BEYOND_MS = 86_400_000

/** Channels by hours. Only what is in sight, and a little around it, is in the document. */
export function TimeGrid(props: TimeGridProps) {
  const { channels, scale, clock, ends, mayMove, mayCreate, onOpen, onMove, onCreate } = props
  const queries = useQueryClient()
  const scroller = useRef<HTMLDivElement>(null)
  const corner = useRef<HTMLDivElement>(null)
  const [motion] = useState(createMotion)
  const { view, edgeX } = useViewport(scroller, corner, motion)
  const [cursor, setCursor] = useState<Cursor>(() => ({
    channelId: channels[0]?.linear_channel_id ?? '',
    atMs: serverNowMs(),
  }))
  const [keyMove, setKeyMove] = useState<{ channel: Channel; program: Program; startMs: number }>()

  const range = timeIn(scale, view)
  const { first, last } = rowsIn(view, channels.length)
  const channelOf = (id: string | undefined) =>
    channels.find(({ linear_channel_id }) => linear_channel_id === id)
  const reach = { fromMs: range.fromMs - BEYOND_MS, toMs: range.toMs + BEYOND_MS }
  const cellOf = (channelId: string, atMs: number) => cellAt(readCells(queries, channelId, reach), atMs)
  const drag = useGridDrag({
    scroller,
    corner,
    scale,
    mayMove,
    mayCreate,
    cellOf,
    channelOf,
    onMove,
    onCreate,
  })

  const showTime = (ms: number) => {
    const element = scroller.current
    if (element !== null) element.scrollLeft = xOf(scale, ms) - trackWidth(element, corner.current) / 6
  }
  useImperativeHandle(props.handle, () => ({ showTime, focus: () => scroller.current?.focus() }))
  useKeptTime(scroller, scale, showTime)

  /** Moves the keyboard there, and scrolls as far as is needed to see it. */
  const goTo = (next: Cursor) => {
    setCursor(next)
    const element = scroller.current
    const row = channels.findIndex(({ linear_channel_id }) => linear_channel_id === next.channelId)
    if (element === null || row < 0) return
    const height = element.clientHeight - ROW_HEIGHT
    const top = row * ROW_HEIGHT
    if (top < element.scrollTop) element.scrollTop = top
    if (top > element.scrollTop + height - ROW_HEIGHT) element.scrollTop = top - height + ROW_HEIGHT
    const x = xOf(scale, next.atMs)
    const width = trackWidth(element, corner.current)
    if (x < element.scrollLeft || x > element.scrollLeft + width - 40) element.scrollLeft = x - width / 4
  }

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.target !== scroller.current || event.ctrlKey || event.metaKey) return
    const channel = channelOf(cursor.channelId) ?? channels[0]
    if (channel === undefined) return
    const cell = cellOf(channel.linear_channel_id, cursor.atMs)
    const run = commandFor(event, channel, cell)
    if (run === undefined) return
    event.preventDefault()
    run()
  }

  const commandFor = (
    { key, shiftKey }: KeyboardEvent,
    channel: Channel,
    cell: Cell | undefined,
  ): (() => void) | undefined => {
    if (keyMove !== undefined) {
      if (key === 'Escape') return () => setKeyMove(undefined)
      if (key === 'Enter') {
        return () => {
          setKeyMove(undefined)
          onMove(keyMove.channel, keyMove.program, keyMove.startMs)
        }
      }
    }
    if (shiftKey && (key === 'ArrowLeft' || key === 'ArrowRight')) {
      const program = keyMove?.program ?? (cell?.kind === 'program' ? cell.program : undefined)
      if (program === undefined || !mayMove(program)) return undefined
      const wasMs = keyMove?.startMs ?? snap(Date.parse(program.start_time))
      const startMs = wasMs + (key === 'ArrowRight' ? SNAP_MS : -SNAP_MS)
      return () => {
        setKeyMove({ channel: keyMove?.channel ?? channel, program, startMs })
        goTo({ channelId: channel.linear_channel_id, atMs: startMs })
      }
    }
    if (key === 'Enter' && cell !== undefined) return () => onOpen(channel, cell)
    if ((key === 'n' || key === 'N') && mayCreate) {
      const startMs = cell?.kind === 'gap' ? Math.max(cell.startMs, snap(cursor.atMs)) : cursor.atMs
      return () => onCreate(channel, snap(startMs), undefined)
    }
    if (key === 't' || key === 'T') {
      return () => {
        showTime(serverNowMs())
        setCursor({ ...cursor, atMs: serverNowMs() })
      }
    }
    const target = arrowTarget(
      key,
      cursor,
      channels,
      scale,
      readCells(queries, channel.linear_channel_id, reach),
    )
    return target === undefined ? undefined : () => goTo(target)
  }

  const onClick = (event: MouseEvent<HTMLElement>) => {
    if (drag.wasDragged()) return
    const found = findCell(event.target)
    const channel = channelOf(found?.channelId)
    if (found === undefined || channel === undefined) return
    const cell = cellOf(found.channelId, found.startMs)
    if (cell === undefined) return
    // In a long gap, the time under the pointer is meant and not its start.
    const atMs =
      cell.kind === 'program' ? cell.startMs : timeUnder(event, scroller.current, corner.current, scale)
    setCursor({ channelId: found.channelId, atMs })
    onOpen(channel, cell)
  }

  const ghost: Ghost | undefined =
    drag.ghost ??
    (keyMove === undefined
      ? undefined
      : {
          channelId: keyMove.channel.linear_channel_id,
          title: keyMove.program.title,
          startMs: keyMove.startMs,
          endMs: keyMove.startMs + lengthOf(keyMove.program),
        })
  const rows = channels.slice(first, last + 1)
  const isCursorDrawn =
    rows.some(({ linear_channel_id }) => linear_channel_id === cursor.channelId) &&
    cursor.atMs >= range.fromMs &&
    cursor.atMs < range.toMs
  return (
    <>
      <div
        ref={scroller}
        role="grid"
        aria-label={`Programs by channel and time, ${clock.name}`}
        aria-rowcount={channels.length + 1}
        aria-activedescendant={isCursorDrawn ? cursorId(cursor.channelId, cursor.atMs) : undefined}
        tabIndex={0}
        className={classes['grid']}
        data-dragging={drag.ghost === undefined ? undefined : true}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onPointerDown={drag.onPointerDown}
      >
        <GridHeader corner={corner} scale={scale} clock={clock} fromMs={range.fromMs} toMs={range.toMs} />
        <div
          role="rowgroup"
          className={classes['rows']}
          style={{ width: `calc(var(--side) + ${widthOf(scale)}px)`, height: channels.length * ROW_HEIGHT }}
        >
          {rows.map((channel, at) => {
            const id = channel.linear_channel_id
            return (
              <GridRow
                key={id}
                channel={channel}
                index={first + at}
                scale={scale}
                clock={clock}
                fromMs={range.fromMs}
                toMs={range.toMs}
                edgeX={edgeX}
                motion={motion}
                cursorMs={isCursorDrawn && cursor.channelId === id ? cursor.atMs : undefined}
                selectedKey={props.selectedKey}
                ghost={ghost?.channelId === id ? ghost : undefined}
                endMs={ends.get(id)}
              />
            )
          })}
          <NowLine scale={scale} />
        </div>
      </div>
      <p className={classes['moving']} role="status">
        {keyMove !== undefined &&
          `${keyMove.program.title} to ${clock.moment(keyMove.startMs)}. Enter to continue, Escape to leave it.`}
      </p>
    </>
  )
}

export const lengthOf = ({ start_time, end_time }: Program): number =>
  end_time === null ? 0 : Date.parse(end_time) - Date.parse(start_time)

export { keyOf }

const trackWidth = (element: HTMLElement, corner: HTMLElement | null): number =>
  element.clientWidth - (corner?.offsetWidth ?? 0)

function findCell(target: EventTarget): { channelId: string; startMs: number } | undefined {
  const cell = (target as HTMLElement).closest<HTMLElement>('[data-cell]')
  const channelId = cell?.closest<HTMLElement>('[data-channel]')?.dataset['channel']
  if (cell === null || channelId === undefined) return undefined
  return { channelId, startMs: Number(cell.dataset['cell']) }
}

function timeUnder(
  { clientX }: { clientX: number },
  scroller: HTMLElement | null,
  corner: HTMLElement | null,
  scale: Scale,
): number {
  if (scroller === null) return scale.startMs
  const x = clientX - scroller.getBoundingClientRect().left - (corner?.offsetWidth ?? 0) + scroller.scrollLeft
  return msAt(scale, x)
}

/** What is in sight, and its left edge as of the end of the last scroll. */
function useViewport(
  scroller: RefObject<HTMLDivElement | null>,
  corner: RefObject<HTMLDivElement | null>,
  motion: Motion,
): { readonly view: Viewport; readonly edgeX: number } {
  const [view, setView] = useState<Viewport>({ left: 0, top: 0, width: 0, height: 0 })
  const [edgeX, setEdgeX] = useState(0)
  useEffect(() => {
    const element = scroller.current
    if (element === null) return undefined
    let frame = 0
    const settle = () => {
      motion.set(false)
      setEdgeX(element.scrollLeft)
    }
    let timer: ReturnType<typeof setTimeout> | undefined
    const measure = () => {
      frame = 0
      setView({
        left: element.scrollLeft,
        top: element.scrollTop,
        width: trackWidth(element, corner.current),
        height: element.clientHeight,
      })
    }
    const onScroll = () => {
      motion.set(true)
      clearTimeout(timer)
      timer = setTimeout(settle, SETTLE_MS)
      if (frame === 0) frame = requestAnimationFrame(measure)
    }
    const resized = new ResizeObserver(measure)
    resized.observe(element)
    element.addEventListener('scroll', onScroll, { passive: true })
    measure()
    settle()
    return () => {
      resized.disconnect()
      element.removeEventListener('scroll', onScroll)
      clearTimeout(timer)
      cancelAnimationFrame(frame)
    }
  }, [scroller, corner, motion])
  return { view, edgeX }
}

/** Opens at the present, and keeps the time at the left edge when an hour gets wider or the zone another. */
function useKeptTime(
  scroller: RefObject<HTMLDivElement | null>,
  scale: Scale,
  showTime: (ms: number) => void,
): void {
  const last = useRef<Scale>(undefined)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another scale moves it.
  useLayoutEffect(() => {
    const element = scroller.current
    if (element === null) return
    if (last.current === undefined) showTime(serverNowMs())
    else element.scrollLeft = xOf(scale, msAt(last.current, element.scrollLeft))
    last.current = scale
  }, [scale, scroller])
}
