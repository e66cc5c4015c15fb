import { HOUR_MS } from '@continuity/core/rules/zone-time'

/** The time that the grid shows, and how wide an hour of it is. */
export interface Scale {
  readonly startMs: number
  readonly endMs: number
  readonly hourWidth: number
}

export interface TimeRange {
  readonly fromMs: number
  readonly toMs: number
}

export const ROW_HEIGHT = 56

/** New times are on these minutes; a dialog takes any second. */
export const SNAP_MS = 5 * 60_000

export const xOf = ({ startMs, hourWidth }: Scale, ms: number): number =>
  ((ms - startMs) / HOUR_MS) * hourWidth

export const msAt = ({ startMs, hourWidth }: Scale, x: number): number => startMs + (x / hourWidth) * HOUR_MS

export const widthOf = (scale: Scale): number => xOf(scale, scale.endMs)

export const snap = (ms: number): number => Math.round(ms / SNAP_MS) * SNAP_MS

/** What a scroll position shows. */
export interface Viewport {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

const ROWS_BEYOND = 3

/** The rows to draw: those in sight, and some above and below them. */
export function rowsIn({ top, height }: Viewport, rows: number): { first: number; last: number } {
  return {
    first: Math.max(0, Math.floor(top / ROW_HEIGHT) - ROWS_BEYOND),
    last: Math.min(rows - 1, Math.ceil((top + height) / ROW_HEIGHT) + ROWS_BEYOND),
  }
}

/** Scrolling draws again once in so many pixels, not with each one. */
const STEP = 240

/** The time to draw: that in sight, and a step or two before and after it. */
export function timeIn(scale: Scale, { left, width }: Viewport): TimeRange {
  const first = Math.floor(left / STEP) - 1
  const last = Math.ceil((left + width) / STEP) + 1
  return {
    fromMs: Math.max(scale.startMs, msAt(scale, first * STEP)),
    toMs: Math.min(scale.endMs, msAt(scale, last * STEP)),
  }
}

/** Room that the label of a cell keeps at its end. */
const LABEL_ROOM = 64

/**
 * How far the label of a cell is from its start: at the left edge of what is in sight, where that cuts the cell. Labels
 * that stay there by themselves (`position: sticky`) would each be a layer, and every scroll would wait for them.
 */
export const indentOf = (left: number, width: number, edgeX: number): number =>
  edgeX <= left || edgeX >= left + width ? 0 : Math.max(0, Math.min(edgeX - left, width - LABEL_ROOM))
