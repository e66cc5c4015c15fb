import type { Client } from '@continuity/client'
import type { LogFormat } from './log-format.ts'

export type LogLine = Parameters<Client['importAudienceLines']>[0]['body']['lines'][number]

/** `other`: a request that does not count, such as one for a segment or the guide, or one that failed. */
export type LineResult = { readonly line: LogLine } | 'other' | 'unreadable'

const MEDIA_PLAYLIST =
  /\/channels\/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\/([a-z0-9][a-z0-9_-]{0,62})\/([\w-]+)\.m3u8$/
const ANSWERED = new Set(['200', '206', '304'])
const LONGEST_CMCD = 2_000

/** Parses a line of an access log and keeps only what is needed: no client address, no other query parameters. */
export function readLogLine(text: string, { parseLine, timeUnit }: LogFormat): LineResult {
  const parsed = parseLine(text)
  if (parsed?.path === undefined || parsed.time === undefined) return 'unreadable'
  const timeMs = readTime(parsed.date, parsed.time, timeUnit)
  if (timeMs === undefined) return 'unreadable'
  if (parsed.method !== 'GET' || !ANSWERED.has(parsed.status ?? '')) return 'other'
  const at = parsed.path.indexOf('?')
  const [path, inPath] = at === -1 ? [parsed.path, ''] : [parsed.path.slice(0, at), parsed.path.slice(at + 1)]
  const [, channelId, distributor, file] = MEDIA_PLAYLIST.exec(path) ?? []
  if (channelId === undefined || distributor === undefined || file === 'index') return 'other'
  const query = inPath === '' ? (parsed.query ?? '').replace(/^\?/, '') : inPath
  const sid = present(parsed.sid) ?? findArgument(query, 'sid')
  if (sid === undefined || sid.length > 64) return 'other'
  const shiftMs = Number(present(parsed.shift_ms) ?? findArgument(query, 'shift_ms') ?? 0)
  const cmcd = cmcdOf(present(parsed.cmcd) ?? findArgument(query, 'CMCD'), parsed.cmcd_headers)
  const country = parsed.country ?? ''
  const isShift = Number.isSafeInteger(shiftMs) && shiftMs % 10_000 === 0 && shiftMs <= 86_400_000
  if (!isShift || shiftMs < 0) return 'other'
  return {
    line: {
      time_ms: timeMs,
      linear_channel_id: channelId,
      distributor,
      sid,
      ...(shiftMs === 0 ? {} : { shift_ms: shiftMs }),
      ...(cmcd === undefined || cmcd.length > LONGEST_CMCD ? {} : { cmcd }),
      ...(/^[A-Z]{2}$/.test(country) ? { country } : {}),
    },
  }
}

/** Some logs write a dash for an empty value. */
const present = (text: string | undefined): string | undefined =>
  text === '' || text === '-' ? undefined : text

function readTime(date: string | undefined, time: string, unit: LogFormat['timeUnit']): number | undefined {
  if (unit === 'iso') return wholeMs(Date.parse(date === undefined ? time : `${date}T${time}Z`))
  if (!/^\d+(\.\d+)?$/.test(time)) return undefined
  return wholeMs(Number(time) * (unit === 'seconds' ? 1_000 : 1))
}

function wholeMs(ms: number): number | undefined {
  const whole = Math.round(ms)
  return Number.isSafeInteger(whole) && whole >= 0 ? whole : undefined
}

/** The query parameter is URL-encoded; headers are not, and count only without the parameter. */
function cmcdOf(argument: string | undefined, headers: string | undefined): string | undefined {
  if (argument !== undefined) return decode(argument)
  const sent = (headers ?? '').split(',').filter((part) => part !== '' && part !== '-')
  return sent.length === 0 ? undefined : sent.join(',')
}

function findArgument(query: string, name: string): string | undefined {
  const pair = query.split('&').find((it) => it.startsWith(`${name}=`))
  return pair === undefined ? undefined : present(pair.slice(name.length + 1))
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return ''
  }
}
