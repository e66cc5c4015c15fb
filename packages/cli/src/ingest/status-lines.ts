import type { RequestItem, RequestStatus } from '@continuity/client'
import { drawBar } from '../terminal/draw-bar.ts'
import { printable } from '../terminal/table.ts'
import { clip, columnsOf, fit } from '../terminal/text-columns.ts'
import {
  countOf,
  isFailed,
  isInProgress,
  nameOf,
  percentOf,
  progressText,
  reasonText,
  type Titles,
} from './item-text.ts'

export interface Size {
  readonly columns: number
  readonly rows: number
}

const STATE_COLUMNS = 'PACKAGING'.length
const PERCENT_COLUMNS = '100 %'.length
/** Two spaces before the line, and two between its parts except the last. */
const GAPS_COLUMNS = 6
const NAME_LEAST_COLUMNS = 10
/** Limits of a useful width. */
const BAR_COLUMNS = { least: 10, most: 30 } as const

/**
 * A request as lines that fit a terminal: the program, its items, and a count of
 * the items that do not fit.
 */
export function statusLines(status: RequestStatus, titles: Titles, size: Size): string[] {
  const { columns, rows } = size
  const room = Math.max(1, rows - 1) // the program's line
  const shown = chooseItems(status.items, room)
  const names = shown.map((item) => nameOf(item, titles))
  const nameColumns = columnsForNames(names, columns)
  const lines = shown.map((item, at) => itemLine(item, names[at] ?? '', nameColumns, columns))
  const rest = status.items.filter((item) => !shown.includes(item))
  return [programLine(status, columns), ...lines, ...(rest.length > 0 ? [clip(restLine(rest), columns)] : [])]
}

/** All in playing order; if they do not fit, items in progress and failed items come first. */
function chooseItems(items: readonly RequestItem[], room: number): readonly RequestItem[] {
  if (items.length <= room) return items
  return items.toSorted((one, other) => rankOf(one) - rankOf(other)).slice(0, room - 1)
}

function rankOf(item: RequestItem): number {
  if (isInProgress(item)) return 0
  if (isFailed(item)) return 1
  return item.state === 'QUEUED' ? 2 : 3
}

/** A long title is clipped, so that the state fits. */
function programLine(status: RequestStatus, columns: number): string {
  const state = progressText(status)
  const title = clip(
    printable(status.program_title),
    Math.max(NAME_LEAST_COLUMNS, columns - state.length - 2),
  )
  return clip(`${title}  ${state}`, columns)
}

function columnsForNames(names: readonly string[], columns: number): number {
  const left = columns - GAPS_COLUMNS - STATE_COLUMNS - PERCENT_COLUMNS
  const most = Math.max(NAME_LEAST_COLUMNS, Math.floor(left / 2))
  return Math.min(most, Math.max(...names.map(columnsOf), 0))
}

/** A failed item shows its reason instead of its progress. */
function itemLine(item: RequestItem, name: string, nameColumns: number, columns: number): string {
  const start = `  ${fit(name, nameColumns)}  ${item.state.padEnd(STATE_COLUMNS)}`
  const detail = isFailed(item) ? reasonText(item.reason) : barOf(item, columns - columnsOf(start) - 2)
  return clip(`${start}  ${detail}`, columns)
}

function barOf(item: RequestItem, columns: number): string {
  const percent = percentOf(item).padStart(PERCENT_COLUMNS)
  const width = Math.min(BAR_COLUMNS.most, columns - PERCENT_COLUMNS - 1)
  return width < BAR_COLUMNS.least ? percent : `${drawBar(item.progress, width)} ${percent}`
}

function restLine(rest: readonly RequestItem[]): string {
  const states = [...new Set(rest.map(({ state }) => state))]
  return `  and ${rest.length} more: ${states.map((state) => `${countOf(rest, state)} ${state}`).join(', ')}`
}
