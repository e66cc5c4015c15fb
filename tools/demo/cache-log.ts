import { setTimeout as wait } from 'node:timers/promises'
import type { Client } from '@continuity/client'

/** The distributor whose viewers are counted from the log of its cache. */
export const DEMO_CACHE = 'demo-cache'

/** A viewer of that cache, from its first request to its last. */
export interface CacheSession {
  readonly channelId: string
  readonly sid: string
  readonly country: string
  readonly fromMs: number
  readonly untilMs: number
}

export type CacheLine = Parameters<Client['importAudienceLines']>[0]['body']['lines'][number]

const VIEWERS = 40
const IMPORT_EVERY_MS = 60_000
const REQUEST_EVERY_MS = 5_000

/** Lines of the last minute are rejected, because some of their session may still be on their way. */
const SETTLED_MS = 65_000

const COUNTRIES = ['GB', 'GB', 'GB', 'IE', 'IE', 'FR', 'DE', 'NO']

/** Between one and twenty minutes. */
const watchingMs = () => 60_000 + Math.random() * 1_140_000

const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)]!

/**
 * Viewers of a cache in front of the node, which sees only the first request of each. Every minute, what the cache has
 * logged since is imported as `continuity audience import` does.
 */
export async function importCacheLog(
  client: Pick<Client, 'importAudienceLines'>,
  playoutUrl: string,
  channelIds: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  let sessions: CacheSession[] = []
  let importedMs = Date.now()
  while (!signal.aborted) {
    try {
      while (sessions.filter(({ untilMs }) => untilMs > Date.now()).length < VIEWERS)
        sessions.push(await openSession(playoutUrl, pick(channelIds), signal))
      const settledMs = Math.max(importedMs, Date.now() - SETTLED_MS)
      const lines = linesOf(sessions, importedMs, settledMs)
      if (lines.length > 0) await client.importAudienceLines({ body: { lines } })
      importedMs = settledMs
      sessions = sessions.filter(({ untilMs }) => untilMs > importedMs)
    } catch {
      // A minute later, with the same lines: each is counted once.
    }
    await wait(IMPORT_EVERY_MS, undefined, { signal })
  }
}

/** One line for each request of a media playlist in a stretch of time. */
export const linesOf = (sessions: readonly CacheSession[], fromMs: number, toMs: number): CacheLine[] =>
  sessions.flatMap((session) => {
    const { channelId, sid, country } = session
    const lines: CacheLine[] = []
    for (let time_ms = session.fromMs; time_ms < Math.min(session.untilMs, toMs); time_ms += REQUEST_EVERY_MS)
      if (time_ms >= fromMs)
        lines.push({ time_ms, linear_channel_id: channelId, distributor: DEMO_CACHE, sid, country })
    return lines
  })

/** The node issues the id of a session with its multivariant playlist. */
async function openSession(
  playoutUrl: string,
  channelId: string,
  signal: AbortSignal,
): Promise<CacheSession> {
  const response = await fetch(`${playoutUrl}/channels/${channelId}/${DEMO_CACHE}/index.m3u8`, { signal })
  const text = await response.text()
  const sid = /[?&]sid=([^&\s]+)/.exec(text)?.[1]
  if (sid === undefined) throw new Error(`${DEMO_CACHE} of channel ${channelId}: ${response.status}`)
  const fromMs = Date.now()
  const times = { fromMs, untilMs: fromMs + watchingMs() }
  return { channelId, sid: decodeURIComponent(sid), country: pick(COUNTRIES), ...times }
}
