import type { RequestEnd, RequestStatus } from '@continuity/client'
import { isFailed, nameOf, reasonText, type Titles } from './item-text.ts'

/** More would push the rest off the screen. */
const LINES_MAXIMUM = 10

/** How a request ended, and what to do about it. */
export function endText(end: RequestEnd, status: RequestStatus, titles: Titles): string {
  const { items, warnings, reason } = status
  const failed = items.filter(isFailed).map((item) => `  ${nameOf(item, titles)}: ${reasonText(item.reason)}`)
  return [
    ...upToMaximum(warnings.map((warning) => `Warning: ${reasonText(warning)}`)),
    ...upToMaximum(failed),
    ...(reason === null ? [] : [reasonText(reason)]),
    adviceOn(end, status),
  ].join('\n')
}

const advice: Readonly<Record<RequestEnd, string>> = {
  scheduled: 'The program is scheduled.',
  failed: 'Fix the failed items and submit the program again. Videos that are READY are not fetched again.',
  replaced:
    'A later request with the same source_id and start_time replaced it: watch that one. ' +
    'To schedule both programs, submit this one with another start_time.',
  cancelled: 'An operator cancelled the program. To have it back, submit it again.',
}

function adviceOn(end: RequestEnd, { program_id, items }: RequestStatus): string {
  if (end !== 'scheduled') return advice[end]
  const done = program_id === null ? advice.scheduled : `The program is scheduled as ${program_id}.`
  return items.some(isFailed) ? `${done} ${WITHOUT_ITEMS}` : done
}

const WITHOUT_ITEMS =
  'To include the failed items, submit the program with another video_url for each: ' +
  'the same body would return the same request.'

/** Printed when the watch ends before the request. */
export const continuesText = (requestId: string): string =>
  `The service continues to process the request. To watch it again: continuity ingest watch ${requestId}`

function upToMaximum(lines: readonly string[]): string[] {
  const more = lines.length - LINES_MAXIMUM
  return more > 0 ? [...lines.slice(0, LINES_MAXIMUM), `  and ${more} more`] : [...lines]
}
