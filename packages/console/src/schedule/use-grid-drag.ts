import { type PointerEvent as ReactPointerEvent, type RefObject, useEffect, useRef, useState } from 'react'
import type { Channel, Program } from '../shared/wire-types.ts'
import type { Ghost } from './grid-row.tsx'
import { msAt, type Scale, SNAP_MS, snap } from './grid-scale.ts'
import type { Cell } from './row-cells.ts'

interface GridDragOptions {
  readonly scroller: RefObject<HTMLDivElement | null>
  readonly corner: RefObject<HTMLDivElement | null>
  readonly scale: Scale
  readonly mayMove: (program: Program) => boolean
  readonly mayCreate: boolean
  readonly cellOf: (channelId: string, atMs: number) => Cell | undefined
  readonly channelOf: (id: string | undefined) => Channel | undefined
  readonly onMove: (channel: Channel, program: Program, startMs: number) => void
  readonly onCreate: (channel: Channel, startMs: number, endMs: number | undefined) => void
}

/** A hand that clicks moves a little. */
const THRESHOLD = 4

/** So near to an edge the grid scrolls by itself, by so much a frame. */
const EDGE = 40
const EDGE_STEP = 12

/** Moves a program, or draws a new one over a gap, with a mouse or a pen. Fingers scroll. */
export function useGridDrag(options: GridDragOptions) {
  const [ghost, setGhost] = useState<Ghost>()
  const dragged = useRef(false)
  const end = useRef<() => void>(undefined)
  useEffect(() => () => end.current?.(), [])

  const onPointerDown = (event: ReactPointerEvent<HTMLElement>) => {
    dragged.current = false
    const element = options.scroller.current
    const cellElement = (event.target as HTMLElement).closest<HTMLElement>('[data-cell]')
    const channelId = cellElement?.closest<HTMLElement>('[data-channel]')?.dataset['channel']
    const channel = options.channelOf(channelId)
    if (element === null || !cellElement || channel === undefined) return
    if (event.button !== 0 || event.pointerType === 'touch') return
    const cell = options.cellOf(channel.linear_channel_id, Number(cellElement.dataset['cell']))
    const shape = cell && shapeOf(cell, options)
    if (shape === undefined) return

    const side = options.corner.current?.offsetWidth ?? 0
    const timeAt = (clientX: number) =>
      msAt(options.scale, clientX - element.getBoundingClientRect().left - side + element.scrollLeft)
    const grabbedMs = timeAt(event.clientX)
    const startX = event.clientX
    let clientX = startX
    let frame = 0
    const draw = () => {
      setGhost({
        channelId: channel.linear_channel_id,
        title: shape.title,
        ...shape.at(grabbedMs, timeAt(clientX)),
      })
    }
    const scrollAtEdge = () => {
      const box = element.getBoundingClientRect()
      if (clientX > box.right - EDGE) element.scrollLeft += EDGE_STEP
      else if (clientX < box.left + side + EDGE) element.scrollLeft -= EDGE_STEP
      draw()
      frame = requestAnimationFrame(scrollAtEdge)
    }
    const onPointerMove = (moved: PointerEvent) => {
      clientX = moved.clientX
      if (dragged.current || Math.abs(clientX - startX) < THRESHOLD) return
      dragged.current = true
      frame = requestAnimationFrame(scrollAtEdge)
    }
    const stop = () => {
      cancelAnimationFrame(frame)
      removeEventListener('pointermove', onPointerMove)
      removeEventListener('pointerup', onPointerUp)
      removeEventListener('pointercancel', stop)
      removeEventListener('keydown', onKeyDown)
      setGhost(undefined)
    }
    const onPointerUp = () => {
      stop()
      if (dragged.current) shape.drop(channel, shape.at(grabbedMs, timeAt(clientX)))
    }
    const onKeyDown = (pressed: KeyboardEvent) => {
      if (pressed.key === 'Escape') stop()
    }
    end.current = stop
    addEventListener('pointermove', onPointerMove)
    addEventListener('pointerup', onPointerUp)
    addEventListener('pointercancel', stop)
    addEventListener('keydown', onKeyDown)
  }
  return { ghost, onPointerDown, wasDragged: () => dragged.current }
}

interface Shape {
  readonly title: string
  readonly at: (grabbedMs: number, nowMs: number) => { startMs: number; endMs: number }
  readonly drop: (channel: Channel, at: { startMs: number; endMs: number }) => void
}

function shapeOf(cell: Cell, { mayMove, mayCreate, onMove, onCreate }: GridDragOptions): Shape | undefined {
  if (cell.kind === 'gap' && mayCreate) {
    return {
      title: 'New program',
      at: (grabbedMs, nowMs) => ({
        startMs: snap(Math.min(grabbedMs, nowMs)),
        endMs: Math.max(snap(Math.max(grabbedMs, nowMs)), snap(Math.min(grabbedMs, nowMs)) + SNAP_MS),
      }),
      drop: (channel, { startMs, endMs }) => onCreate(channel, startMs, endMs),
    }
  }
  if (cell.kind !== 'program' || !mayMove(cell.program)) return undefined
  const { program, startMs, endMs } = cell
  return {
    title: program.title,
    at: (grabbedMs, nowMs) => {
      const movedMs = snap(startMs + nowMs - grabbedMs)
      return { startMs: movedMs, endMs: movedMs + endMs - startMs }
    },
    drop: (channel, at) => {
      if (at.startMs !== startMs) onMove(channel, program, at.startMs)
    },
  }
}
