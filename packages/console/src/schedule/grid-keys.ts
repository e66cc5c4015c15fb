import type { Channel } from '../shared/wire-types.ts'
import type { Scale } from './grid-scale.ts'
import { type Cell, cellAt } from './row-cells.ts'

/** Where the keyboard is. */
export interface Cursor {
  readonly channelId: string
  readonly atMs: number
}

export const gridKeys: readonly (readonly [keys: string, effect: string])[] = [
  ['← →', 'The program before, the program after'],
  ['↑ ↓', 'The channel above, the channel below'],
  ['Home End', 'The first day, the last day'],
  ['Page Up Page Down', 'Ten channels up, ten channels down'],
  ['T', 'To the present'],
  ['Enter', 'Open the program'],
  ['N', 'New program at this time'],
  ['Shift ← →', 'Move the program by five minutes; Enter opens its dialog, Escape leaves it'],
  ['Escape', 'Close the program'],
]

const PAGE = 10

/** Where an arrow key leads; undefined for other keys, and at an edge. */
export function arrowTarget(
  key: string,
  { channelId, atMs }: Cursor,
  channels: readonly Channel[],
  { startMs, endMs }: Scale,
  cells: readonly Cell[],
): Cursor | undefined {
  const row = Math.max(
    0,
    channels.findIndex(({ linear_channel_id }) => linear_channel_id === channelId),
  )
  const inRow = (to: number) => {
    const channel = channels[Math.min(Math.max(to, 0), channels.length - 1)]
    return channel && { channelId: channel.linear_channel_id, atMs }
  }
  const at = cellAt(cells, atMs)
  const inTime = (ms: number) => ({ channelId, atMs: Math.min(Math.max(ms, startMs), endMs - 1) })
  switch (key) {
    case 'ArrowUp':
      return inRow(row - 1)
    case 'ArrowDown':
      return inRow(row + 1)
    case 'PageUp':
      return inRow(row - PAGE)
    case 'PageDown':
      return inRow(row + PAGE)
    case 'ArrowRight':
      return at && inTime(cells[cells.indexOf(at) + 1]?.startMs ?? at.endMs)
    case 'ArrowLeft':
      return at && inTime(cells[cells.indexOf(at) - 1]?.startMs ?? at.startMs - 1)
    case 'Home':
      return inTime(startMs)
    case 'End':
      return inTime(endMs)
    default:
      return undefined
  }
}
