import type { Client } from '@continuity/client'

/** What `POST …/programs` takes. */
export type ProgramDraft = Parameters<Client['createProgram']>[0]['body']
export type Item = ProgramDraft['items'][number]
export type Program = Awaited<ReturnType<Client['listPrograms']>>['hits'][number]

export const columns = ['start_time', 'end_time', 'title', 'description', 'items'] as const

/** Items as a CSV file has them, separated by spaces. */
export const printItems = (items: readonly Item[]): string => items.map(printItem).join(' ')

function printItem(item: Item): string {
  if ('playlist_id' in item) return `playlist:${item.playlist_id}`
  if (!('video_id' in item)) return `pod:${item.duration}`
  const { video_id: id, in_ms: inMs, out_ms: outMs } = item
  return inMs == null && outMs == null ? `video:${id}` : `video:${id}@${inMs ?? ''}-${outMs ?? ''}`
}

export function readItem(text: string): Item | { readonly fault: string } {
  const [, pod] = /^pod:([0-9]+(?:\.[0-9]+)?)$/.exec(text) ?? []
  if (pod !== undefined) return { type: 'AD_POD', duration: Number(pod) }
  const [, playlist] = /^playlist:(\S+)$/.exec(text) ?? []
  if (playlist !== undefined) return { playlist_id: playlist }
  const [, video, range, inMs, outMs] = /^video:([^\s@]+)(@([0-9]*)-([0-9]*))?$/.exec(text) ?? []
  const isRange = range === undefined || range !== '@-'
  if (video !== undefined && isRange)
    return {
      video_id: video,
      ...(inMs ? { in_ms: Number(inMs) } : {}),
      ...(outMs ? { out_ms: Number(outMs) } : {}),
    }
  return { fault: `"${text}" is not video:ID, video:ID@IN_MS-OUT_MS, playlist:ID or pod:SECONDS` }
}

/** A time with its zone, as the API takes it. */
export function readTime(text: string): { readonly value: string } | { readonly fault: string } {
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/.test(text)
  const atMs = isTime ? Date.parse(text) : Number.NaN
  return Number.isNaN(atMs)
    ? { fault: `must be a time with its zone such as 2026-03-01T18:00:00Z, not "${text}".` }
    : { value: new Date(atMs).toISOString() }
}
