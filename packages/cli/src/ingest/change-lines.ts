import type { RequestItem, RequestStatus } from '@continuity/client'
import { printable } from '../terminal/table.ts'
import {
  isFailed,
  isInProgress,
  nameOf,
  percentOf,
  progressText,
  reasonText,
  type Titles,
} from './item-text.ts'

/** Progress is logged in quarters, to keep the log short. */
const STEPS = 4

/**
 * Log lines for the changes between two statuses of a request. Without an earlier
 * status, lists the items that are in progress or failed; the others are counted.
 */
export function changeLines(before: RequestStatus | undefined, now: RequestStatus, titles: Titles): string[] {
  const hasChanged = before === undefined || progressText(before) !== progressText(now)
  const items = now.items.filter((item, at) => isChanged(before?.items[at], item))
  return [
    ...(hasChanged ? [`${printable(now.program_title)}  ${progressText(now)}`] : []),
    ...items.map((item) => itemLine(item, titles)),
  ]
}

function isChanged(before: RequestItem | undefined, now: RequestItem): boolean {
  if (before === undefined) return isInProgress(now) || isFailed(now)
  return before.state !== now.state || (isInProgress(now) && stepOf(before) !== stepOf(now))
}

const stepOf = ({ progress }: RequestItem): number => Math.floor(progress * STEPS)

function itemLine(item: RequestItem, titles: Titles): string {
  const more = isInProgress(item) ? percentOf(item) : reasonText(item.reason)
  return `  ${nameOf(item, titles)}  ${item.state}${more === '' ? '' : `  ${more}`}`
}
