import { setTimeout as sleep } from 'node:timers/promises'
import type { Segment } from '@continuity/playlist-validator'
import { kindsOf } from './live-system.ts'
import type { OnAirSystem } from './on-air-system.ts'

/** The ad breaks in playlists that were read one after the other, parsed from their lines. */
export function breaksSeen(texts: readonly string[]) {
  const attributes = new Map<string, Map<string, string>>()
  let changed = 0
  for (const text of texts) {
    for (const [, list = ''] of text.matchAll(/^#EXT-X-DATERANGE:(.*)$/gm)) {
      const pairs = [...list.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)/g)]
      const id = pairs.find(([, name]) => name === 'ID')?.[2] ?? ''
      const known = attributes.get(id) ?? new Map<string, string>()
      attributes.set(id, known)
      for (const [, name = '', value = ''] of pairs) {
        if (known.has(name) && known.get(name) !== value) changed += 1
        known.set(name, value)
      }
    }
  }
  // By how much each that has ended is longer than it was planned.
  const over = [...attributes.values()]
    .filter((it) => it.has('DURATION'))
    .map((it) => Number(it.get('DURATION')) - Number(it.get('PLANNED-DURATION')))
  return {
    announced: attributes.size,
    endedEarly: over.filter((seconds) => seconds < -0.01).length,
    inFull: over.filter((seconds) => Math.abs(seconds) <= 0.01).length,
    /** Attributes of an id whose value has changed. */
    changed,
  }
}

const WRITTEN_MS = 120_000

/**
 * Compares the as-run record with what was listed, segment by segment: what was live, and what a slate. A break in a
 * program that is live, by its title, is live too.
 */
export async function compareRecord(
  system: OnAirSystem,
  listed: readonly Segment[],
  liveTitles: readonly string[],
): Promise<{ readonly compared: number; readonly differing: number }> {
  const endMs = performance.now() + WRITTEN_MS
  const lastMs = listed.at(-1)?.startMs ?? 0
  for (;;) {
    // Recorded every ten minutes; here at once, and again until the log of the source is copied.
    await system.sql.query(`update due_rows set due_ms = 0 where kind in ('record_as_run', 'live_log')`)
    await sleep(500)
    const entries = await readRecord(system)
    const untilMs = entries.at(-1)?.endMs ?? 0
    const isWhole = untilMs >= lastMs
    if (!isWhole && performance.now() < endMs) continue
    const compared = listed.filter(({ startMs }) => startMs >= (entries[0]?.startMs ?? Infinity))
    const kinds = kindsOf(compared)
    const differing = compared.filter(({ startMs, durationMs }, at) => {
      const middleMs = startMs + durationMs / 2
      const entry = entries.find((it) => it.startMs <= middleMs && middleMs < it.endMs)
      // Only a record that reaches the last segment may end in it.
      if (entry === undefined) return !isWhole || middleMs < untilMs
      const isLiveBreak = entry.type === 'AD_POD' && liveTitles.includes(entry.title ?? '')
      return (entry.type === 'LIVE' || isLiveBreak) !== (kinds[at] === 'live')
    })
    return { compared: compared.length, differing: differing.length }
  }
}

interface Recorded {
  readonly type: string
  /** Of its program. */
  readonly title: string | null
  readonly startMs: number
  readonly endMs: number
}

const readRecord = ({ sql, channelId }: OnAirSystem): Promise<readonly Recorded[]> =>
  sql.query<Recorded>(
    `select type, program ->> 'title' as title, start_ticks / 90 as "startMs", end_ticks / 90 as "endMs"
       from as_run_entries where linear_channel_id = $1
     union all
     select open_entry ->> 'type', open_entry -> 'program' ->> 'title', (open_entry ->> 'startTicks')::bigint / 90,
            (open_entry ->> 'endTicks')::bigint / 90
       from timelines where linear_channel_id = $1 and open_entry is not null
      order by 3`,
    [channelId],
  )
