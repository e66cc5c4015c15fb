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
  ready: 'Every item is READY. The request stays PROCESSING until the program is scheduled on the channel.',
  failed: 'Fix the failed items and submit the program again. Videos that are READY are not fetched again.',
  replaced:
    'A later request with the same source_id and start_time replaced it: watch that one. ' +
    'To schedule both programs, submit this one with another start_time.',
  cancelled: 'An operator cancelled the program. To have it back, submit it again.',
}

/** Until a request has failed as a whole, the same body returns the same request. */
function adviceOn(end: RequestEnd, { state, program_id }: RequestStatus): string {
  if (end === 'scheduled' && program_id !== null) return `The program is scheduled as ${program_id}.`
  if (end !== 'failed' || state === 'FAILED') return advice[end]
  return (
    'The request continues without the failed items. To include them, submit the program with another video_url ' +
    'for each: the same body would return the same request.'
  )
}

/** Printed when the watch ends before the request. */
export const continuesText = (requestId: string): string =>
  `The service continues to process the request. To watch it again: continuity ingest watch ${requestId}`

function upToMaximum(lines: readonly string[]): string[] {
  const more = lines.length - LINES_MAXIMUM
  return more > 0 ? [...lines.slice(0, LINES_MAXIMUM), `  and ${more} more`] : [...lines]
}
