import type { RequestItem, RequestStatus } from '@continuity/client'
import { printable } from '../terminal/table.ts'

/** Titles by video_source_id. A status does not contain them, so only "ingest submit" has them. */
export type Titles = ReadonlyMap<string, string>

export function nameOf({ type, video_source_id }: RequestItem, titles: Titles): string {
  if (video_source_id === null) return type
  return printable(titles.get(video_source_id) ?? video_source_id)
}

/** Rounded down, so that 100 % means done. */
export const percentOf = ({ progress }: RequestItem): string => `${Math.floor(progress * 100)} %`

export type Reason = NonNullable<RequestStatus['reason']>

export const reasonText = (reason: Reason | null): string =>
  reason === null ? '' : printable(`${reason.message} (${reason.code})`)

export const isInProgress = ({ state }: RequestItem): boolean => state === 'FETCHING' || state === 'PACKAGING'
export const isFailed = ({ state }: RequestItem): boolean => state === 'FAILED'

export const countOf = (items: readonly RequestItem[], state: RequestItem['state']): number =>
  items.filter((item) => item.state === state).length

/** The state and the counts, printed after the title of the program. */
export function progressText({ state, items }: RequestStatus): string {
  const failed = countOf(items, 'FAILED')
  const ready = `${countOf(items, 'READY')} of ${items.length} READY`
  return `${state}  ${ready}${failed > 0 ? `, ${failed} FAILED` : ''}`
}
