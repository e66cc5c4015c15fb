import { pollUntil } from '@continuity/dev/waiting'
import type { Segment } from '@continuity/playlist-validator'
import { sql } from 'kysely'
import { urlsOf } from '../on-air/channels.ts'
import { addressOf, fetchAnswer } from '../on-air/fetch-playlist.ts'
import type { OnAirSystem } from '../on-air/on-air-system.ts'
import { type OutputWatch, segmentsIn } from '../on-air/output-watch.ts'
import { RUNG } from './live-system.ts'

/** The kind of a segment by its address: of a live source, a slate that replaces it, or an asset. */
export type SegmentKind = 'live' | 'fill' | 'slate'

export const kindsOf = (segments: readonly Pick<Segment, 'uri'>[]): SegmentKind[] =>
  segments.map(({ uri }) => (uri.includes('/live/') ? 'live' : uri.includes('/slots/') ? 'fill' : 'slate'))

export async function readPlaylist(nodeUrl: string, { output }: OutputWatch): Promise<string> {
  return (await fetchAnswer(addressOf(nodeUrl, output, `${RUNG}.m3u8`))).text
}

/** Waits until the last segment that both nodes list is of a kind. */
export async function untilListed(
  system: OnAirSystem,
  watch: OutputWatch,
  kind: SegmentKind,
): Promise<boolean> {
  const isListed = async () => {
    const texts = await Promise.all(urlsOf(system).map((url) => readPlaylist(url, watch)))
    return texts.every((text) => kindsOf(segmentsIn(text)).at(-1) === kind) || undefined
  }
  return (await pollUntil(isListed, 60_000)) ?? false
}

export interface BreaksSeen {
  readonly announced: number
  readonly endedEarly: number
  readonly inFull: number
  /** Attributes of an id whose value has changed. */
  readonly changed: number
}

/** The ad breaks in playlists that were read one after the other, parsed from their lines. */
export function breaksSeen(texts: readonly string[]): BreaksSeen {
  const attributes = new Map<string, Map<string, string>>()
  let changed = 0
  for (const text of texts) {
    for (const [, list = ''] of text.matchAll(/^#EXT-X-DATERANGE:(.*)$/gm)) {
      const pairs = [...list.matchAll(/([A-Z0-9-]+)=("[^"]*"|[^,]*)/g)].map(
        ([, name, value]) => [name!, value!] as const,
      )
      const id = pairs.find(([name]) => name === 'ID')?.[1] ?? ''
      const known = attributes.get(id) ?? new Map<string, string>()
      attributes.set(id, known)
      for (const [name, value] of pairs) {
        if (known.has(name) && known.get(name) !== value) changed += 1
        known.set(name, value)
      }
    }
  }
  const all = [...attributes.values()].map((it) => ({
    planned: Number(it.get('PLANNED-DURATION')),
    actual: it.has('DURATION') ? Number(it.get('DURATION')) : undefined,
  }))
  const ended = all.filter(({ actual }) => actual !== undefined)
  return {
    announced: all.length,
    endedEarly: ended.filter(({ actual, planned }) => actual! < planned - 0.01).length,
    inFull: ended.filter(({ actual, planned }) => Math.abs(actual! - planned) <= 0.01).length,
    changed,
  }
}

const PATIENCE_MS = 120_000

/** Compares the as-run record with what was listed, segment by segment: what was live, and what a slate. */
export async function recordedKinds(
  { database, channelId }: OnAirSystem,
  listed: readonly Segment[],
  /** Titles of programs that are live: a break in one of them is live too. */
  liveTitles: readonly string[],
): Promise<{ readonly compared: number; readonly differing: number }> {
  const endMs = performance.now() + PATIENCE_MS
  const lastMs = listed.at(-1)?.startMs ?? 0
  for (;;) {
    // Recorded every ten minutes; here at once, and again until the log of the source is copied.
    await sql`update due_rows set due_ms = 0 where kind in ('record_as_run', 'live_log')`.execute(
      database.platform,
    )
    await new Promise((resolve) => setTimeout(resolve, 500))
    const entries = await readRecord(database, channelId)
    const isWhole = (entries.at(-1)?.endMs ?? 0) >= lastMs
    if (!isWhole && performance.now() < endMs) continue
    const compared = listed.filter(
      ({ startMs }) => startMs >= (entries[0]?.startMs ?? Number.POSITIVE_INFINITY),
    )
    const kinds = kindsOf(compared)
    const differing = compared.filter(({ startMs, durationMs }, at) => {
      const middleMs = startMs + durationMs / 2
      const entry = entries.find((it) => it.startMs <= middleMs && middleMs < it.endMs)
      const isLive =
        entry?.type === 'LIVE' || (entry?.type === 'AD_POD' && liveTitles.includes(entry.programTitle ?? ''))
      // Only a record that reaches the last segment may end in it.
      const isMissing = !isWhole || middleMs < (entries.at(-1)?.endMs ?? 0)
      return entry === undefined ? isMissing : isLive !== (kinds[at] === 'live')
    })
    return { compared: compared.length, differing: differing.length }
  }
}

interface Recorded {
  readonly type: string
  readonly programTitle: string | null
  readonly startMs: number
  readonly endMs: number
}

async function readRecord(
  { platform }: OnAirSystem['database'],
  channelId: string,
): Promise<readonly Recorded[]> {
  const { rows } = await sql<Recorded>`
    select type, program ->> 'title' as "programTitle", start_ticks / 90 as "startMs", end_ticks / 90 as "endMs"
      from as_run_entries where linear_channel_id = ${channelId}
    union all
    select open_entry ->> 'type', open_entry -> 'program' ->> 'title', (open_entry ->> 'startTicks')::bigint / 90,
           (open_entry ->> 'endTicks')::bigint / 90
      from timelines where linear_channel_id = ${channelId} and open_entry is not null
     order by 3`.execute(platform)
  return rows
}
