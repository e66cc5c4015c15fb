import type { RequestEnd, RequestStatus } from '@continuity/client'
import { isFailed, nameOf, reasonWords, type Titles } from './item-words.ts'

/** So many tell what is wrong; more would push it off the screen. */
const TOLD_MAXIMUM = 10

/** How a request ended, and what to do about it. */
export function endWords(end: RequestEnd, status: RequestStatus, titles: Titles): string {
  const { items, warnings, reason } = status
  const failed = items
    .filter(isFailed)
    .map((item) => `  ${nameOf(item, titles)}: ${reasonWords(item.reason)}`)
  return [
    ...upToMaximum(warnings.map((warning) => `Warning: ${reasonWords(warning)}`)),
    ...upToMaximum(failed),
    ...(reason === null ? [] : [reasonWords(reason)]),
    adviceOn(end, status),
  ].join('\n')
}

const advice: Readonly<Record<RequestEnd, string>> = {
  scheduled: 'The program is scheduled.',
  ready: 'Every item is READY. The request stays PROCESSING until the program has its place on the channel.',
  failed: 'Mend what failed and submit the program again. Videos that are READY are not fetched again.',
  replaced:
    'A later request with the same source_id and start_time took its place: watch that one. ' +
    'To have both programs, submit this one with another start_time.',
}

/** A request that has not failed as a whole still stands, and so its body sent again is the same request. */
function adviceOn(end: RequestEnd, { state, program_id }: RequestStatus): string {
  if (end === 'scheduled' && program_id !== null) return `The program is scheduled as ${program_id}.`
  if (end !== 'failed' || state === 'FAILED') return advice[end]
  return (
    'The request goes on without what failed. To have that too, submit the program with another video_url ' +
    'for it: the same body again would be the same request.'
  )
}

/** What to say when nobody watches any more. */
export const goesOnWords = (requestId: string): string =>
  `The request goes on at the service. To watch it again: continuity ingest watch ${requestId}`

function upToMaximum(lines: readonly string[]): string[] {
  const more = lines.length - TOLD_MAXIMUM
  return more > 0 ? [...lines.slice(0, TOLD_MAXIMUM), `  and ${more} more`] : [...lines]
}
