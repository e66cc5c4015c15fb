import type { RequestItem, RequestStatus } from '@continuity/client'
import { printable } from '../table.ts'
import { isFailed, isMoving, nameOf, percentOf, reasonWords, standOf, type Titles } from './item-words.ts'

/** A log shows that something moves, and is not filled with it. */
const STEPS = 4

/**
 * What a log is told of a request: what is another than before. Of a request
 * seen for the first time, the items that move or failed; the others are counted.
 */
export function changeLines(before: RequestStatus | undefined, now: RequestStatus, titles: Titles): string[] {
  const hasMoved = before === undefined || standOf(before) !== standOf(now)
  const items = now.items.filter((item, at) => isNews(before?.items[at], item))
  return [
    ...(hasMoved ? [`${printable(now.program_title)}  ${standOf(now)}`] : []),
    ...items.map((item) => itemLine(item, titles)),
  ]
}

function isNews(before: RequestItem | undefined, now: RequestItem): boolean {
  if (before === undefined) return isMoving(now) || isFailed(now)
  return before.state !== now.state || (isMoving(now) && stepOf(before) !== stepOf(now))
}

const stepOf = ({ progress }: RequestItem): number => Math.floor(progress * STEPS)

function itemLine(item: RequestItem, titles: Titles): string {
  const more = isMoving(item) ? percentOf(item) : reasonWords(item.reason)
  return `  ${nameOf(item, titles)}  ${item.state}${more === '' ? '' : `  ${more}`}`
}
