import { ticksOf } from '../time/ticks.ts'
import type { LiveView } from '../timeline/discontinuity.ts'
import type { Timeline } from '../timeline/run.ts'
import { type ComponentCell, cellAt } from './component-cell.ts'

/** A cell, and the key of its sums. */
export interface KeyedCell extends ComponentCell {
  readonly key: string
}

/** What was on the air on all channels at the watched times. */
export interface ComponentCells {
  find(channelId: string, atMs: number, nowMs: number): KeyedCell
  /** Called when a channel has changed: drops its cells. */
  drop(channelId: string): void
  /** Changes whenever a cell that was found before may be outdated. */
  generation(): number
  /** Drops all cells; called periodically. */
  clear(): void
}

export interface CellSources {
  /** The part of a channel's timeline around a time; undefined if the channel does not exist. */
  timelineAt(channelId: string, ticks: number, nowMs: number): Timeline | undefined
  readonly live: LiveView
}

/** Live viewers are in two of them; the others are for time-shifted viewers. */
const CELLS_OF_A_CHANNEL = 64

const nothing: Timeline = { version: 0, runs: [] }

export function createComponentCells({ timelineAt, live }: CellSources): ComponentCells {
  const channels = new Map<string, KeyedCell[]>()
  let generation = 0
  const make = (channelId: string, atMs: number, nowMs: number): KeyedCell => {
    const cell = cellAt(timelineAt(channelId, ticksOf(atMs), nowMs) ?? nothing, atMs, live)
    const { minuteMs, component } = cell
    return { ...cell, key: `${minuteMs}/${component?.spanTicks}/${component?.type}` }
  }
  return {
    find(channelId, atMs, nowMs) {
      const cells = channels.get(channelId)
      if (cells !== undefined) {
        for (let at = cells.length - 1; at >= 0; at -= 1) {
          const cell = cells[at]!
          if (cell.startMs <= atMs && atMs < cell.endMs) return cell
        }
      }
      const cell = make(channelId, atMs, nowMs)
      if (cells === undefined) channels.set(channelId, [cell])
      else if (cells.push(cell) > CELLS_OF_A_CHANNEL) cells.shift()
      return cell
    },
    drop(channelId) {
      channels.delete(channelId)
      generation += 1
    },
    generation: () => generation,
    clear() {
      channels.clear()
      generation += 1
    },
  }
}
