import { TICKS_PER_MS } from '@continuity/core/media/house-format'
import { segmentName } from '@continuity/core/media/segment-index'
import { type PackedRun, unpackBetween } from '@continuity/core/timeline/codec/packed'
import { shownAt } from '@continuity/core/timeline/shown'
import { type Span, startOfSegment } from '@continuity/core/timeline/span'
import type { Segment } from '@continuity/playlist-validator'
import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'

/** The committed timeline of a channel from PostgreSQL, segment by segment; read before PostgreSQL is killed. */
export interface Committed {
  readonly segments: ReadonlyMap<number, CommittedSegment>
  /** The last segment that has ended by a time. */
  lastEndedBy(ms: number): number
}

export interface CommittedSegment {
  readonly sequence: number
  readonly startMs: number
  readonly endMs: number
  /** Path in the media store, without the rung. */
  readonly path: string
  readonly name: string
}

/** Up to `untilMs`: an unbounded slate follows the schedule. */
export async function readCommitted(
  { platform }: Database,
  channelId: string,
  untilMs: number,
): Promise<Committed> {
  const { rows } = await sql<PackedRun>`
    select number, first_sequence as "firstSequence", start_ticks as "startTicks",
           end_sequence as "endSequence", end_ticks as "endTicks", discontinuity,
           is_start as "isStart", is_end as "isEnd", body as bytes
      from runs where linear_channel_id = ${channelId} and end_sequence > first_sequence
     order by first_sequence`.execute(platform)
  const timeline = unpackBetween({ version: 0, runs: rows }, 0, Number.MAX_SAFE_INTEGER)
  if (timeline === undefined) throw new Error('the committed timeline cannot be decoded')
  const all = timeline.runs.flatMap(({ spans }) => spans.flatMap((span) => [...segmentsOf(span, untilMs)]))
  return {
    segments: new Map(all.map((segment) => [segment.sequence, segment])),
    lastEndedBy: (ms) => lastEndedIn(all, ms),
  }
}

/** Binary search: the segments are consecutive. */
function lastEndedIn(all: readonly CommittedSegment[], ms: number): number {
  let [from, to] = [0, all.length]
  while (from < to) {
    const middle = (from + to) >> 1
    if (all[middle]!.endMs <= ms) from = middle + 1
    else to = middle
  }
  return all[from - 1]?.sequence ?? -1
}

function* segmentsOf(span: Span, untilMs: number): Generator<CommittedSegment> {
  for (let at = 0; at < span.segments; at += 1) {
    const startMs = startOfSegment(span, at) / TICKS_PER_MS
    if (startMs >= untilMs) return
    const endMs = startOfSegment(span, at + 1) / TICKS_PER_MS
    const { path, number } = shownAt(span, at, () => undefined)
    yield { sequence: span.firstSequence + at, startMs, endMs, path, name: segmentName(number) }
  }
}

/** How a playlist of a rung differs from the committed timeline; undefined if it does not. */
export function findDifference(
  listed: readonly Segment[],
  committed: Committed,
  rung: string,
  atMs: number,
): string | undefined {
  const last = listed.at(-1)?.sequence
  const expected = committed.lastEndedBy(atMs)
  if (last !== expected) return `the last listed segment is ${last}, expected ${expected}`
  for (const { sequence, uri, startMs } of listed) {
    const meant = committed.segments.get(sequence)
    if (meant === undefined) return `${sequence} was never committed`
    if (!uri.endsWith(`/${meant.path}/${rung}/${meant.name}`))
      return `${sequence} is ${uri}, not ${meant.path}`
    if (Math.abs(startMs - meant.startMs) > ROUNDED_MS) return `${sequence} is at ${startMs}`
  }
  return undefined
}

/** Playlist times are rounded to milliseconds. */
const ROUNDED_MS = 2
