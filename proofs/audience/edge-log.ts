import type { LoggedRequest } from './request-log.ts'

/** A line of the edge's log, as far as the evaluation needs it. */
interface EdgeLine {
  readonly msec: number
  readonly method: string
  readonly status: number
  readonly path: string
  readonly sid: string
  readonly shift_ms: string
  readonly cmcd: string
  readonly country: string
}

/** A viewing session as the viewer that began it knows it. */
export interface KnownSession {
  readonly mintedMs: number | undefined
  readonly isMonitor: boolean
}

/**
 * The log of an edge by the driven clock: nginx writes the real time, and so many milliseconds of the channel pass in each of
 * its own.
 */
export function moveTimes(text: string, toDrivenMs: (realMs: number) => number): string {
  return text.replaceAll(/"msec":([0-9.]+)/g, (_, seconds: string) => {
    const ms = toDrivenMs(Math.round(Number(seconds) * 1_000))
    return `"msec":${Math.floor(ms / 1_000)}.${String(ms % 1_000).padStart(3, '0')}`
  })
}

/** The requests of a log that was moved, to be evaluated without the product. Those of a session in one millisecond that report the same are one. */
export function requestsOf(
  text: string,
  sessions: ReadonlyMap<string, KnownSession>,
): readonly LoggedRequest[] {
  const seen = new Set<string>()
  return text.split('\n').flatMap((line) => {
    if (line === '') return []
    const { msec, method, status, path, sid, shift_ms, cmcd, country } = JSON.parse(line) as EdgeLine
    const [, , channelId = '', distributor = '', file = ''] = path.split('/')
    if (method !== 'GET' || status !== 200 || sid === '' || !/^\w+\.m3u8$/.test(file)) return []
    const name = [msec, sid, channelId, distributor, shift_ms, cmcd, country].join(' ')
    if (file === 'index.m3u8' || seen.has(name)) return []
    seen.add(name)
    // Content ids of these viewers contain something that looks like a state.
    const keys = decodeURIComponent(cmcd)
      .replaceAll(/"[^"]*"/g, '')
      .split(',')
    const keyOf = (name: string) => keys.find((key) => key.startsWith(`${name}=`))?.slice(name.length + 1)
    const bl = keyOf('bl')
    const session = sessions.get(`${sid} ${channelId} ${distributor}`)
    return {
      atMs: Math.round(msec * 1_000),
      process: 'the edges',
      channelId,
      distributor,
      country: country === '' ? 'ZZ' : country,
      sid,
      mintedMs: session?.mintedMs,
      isMonitor: session?.isMonitor ?? false,
      shiftMs: Number(shift_ms),
      sta: keyOf('sta'),
      bl: bl === undefined ? undefined : Number(bl),
      isAtRisk: false,
    }
  })
}
