import type { RequestItem, RequestStatus } from '@continuity/client'
import { printable } from '../table.ts'

/** Titles by video_source_id. A status does not tell them, so only who submitted the program has any. */
export type Titles = ReadonlyMap<string, string>

export function nameOf({ type, video_source_id }: RequestItem, titles: Titles): string {
  if (video_source_id === null) return type
  return printable(titles.get(video_source_id) ?? video_source_id)
}

/** Rounded down: 100 % is told of what is done. */
export const percentOf = ({ progress }: RequestItem): string => `${Math.floor(progress * 100)} %`

export type Reason = NonNullable<RequestStatus['reason']>

export const reasonWords = (reason: Reason | null): string =>
  reason === null ? '' : printable(`${reason.message} (${reason.code})`)

export const isMoving = ({ state }: RequestItem): boolean => state === 'FETCHING' || state === 'PACKAGING'
export const isFailed = ({ state }: RequestItem): boolean => state === 'FAILED'

export const countOf = (items: readonly RequestItem[], state: RequestItem['state']): number =>
  items.filter((item) => item.state === state).length

/** Where the program stands, behind its title. */
export function standOf({ state, items }: RequestStatus): string {
  const failed = countOf(items, 'FAILED')
  const ready = `${countOf(items, 'READY')} of ${items.length} READY`
  return `${state}  ${ready}${failed > 0 ? `, ${failed} FAILED` : ''}`
}
