import { TICKS_PER_MS } from '@continuity/core/media/house-format'
import { segmentName } from '@continuity/core/media/segment-index'
import { type PackedRun, unpackBetween } from '@continuity/core/timeline/codec/packed'
import { shownAt } from '@continuity/core/timeline/shown'
import { type Span, startOfSegment } from '@continuity/core/timeline/span'
import { createDraw } from '@continuity/dev/draw'
import { round } from '@continuity/dev/figures'
import { measured } from '@continuity/dev/measured'
import type { Sql } from '@continuity/dev/sql'
import type { Segment } from '@continuity/playlist-validator'
import { proof } from './proof.ts'
import { startClock, startOnAirSystem, untilAnswered } from './shared/on-air-system.ts'
import { createOutputWatch } from './shared/output-watch.ts'
import { fetchFromBoth, findRungs } from './shared/outputs.ts'
import { type DaySize, putDayOnAir } from './shared/programs.ts'

interface GoneSize extends DaySize {
  /** Checks at regular intervals over the day. */
  readonly checks: number
  /** Program starts around which there is a check each second. */
  readonly starts: number
  readonly renditions: 1 | 2
  readonly clips: number
  /** How soon a killed node must serve again; without it, there is no limit. */
  readonly backWithinMs?: number
}

const DAY_MS = 86_400_000

const MOST_FAULTS = 100

export const controlRoomGone = proof<GoneSize>({
  name: 'control-room-gone',
  title: 'A day without the control room',
  promise:
    'Channels are on air, and then PostgreSQL, NATS, the API and the worker are killed. For 24 hours by the clock both ' +
    'playout nodes list what was committed, to the segment, and the same bytes; the playlist validator finds no fault in ' +
    'any rendition of any output. A node that is killed in that time and started again serves within 5 s.',
  sizes: {
    small: { channels: 2, programs: 6, itemsOfEach: 20, renditions: 1, clips: 4, checks: 72, starts: 2 },
    full: {
      channels: 3,
      programs: 25,
      itemsOfEach: 300,
      renditions: 2,
      clips: 9,
      checks: 1_440,
      starts: 20,
      backWithinMs: 5_000,
    },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClock(opened)
    const system = await startOnAirSystem(opened, { clock, ...size })
    const { outputs, startsMs } = await putDayOnAir(system, createDraw(seed), size)
    await clock.steer({ kind: 'rate', rate: 0 })
    const committed = new Map<string, Committed>()
    const goneMs = clock.nowMs()
    for (const { channelId } of outputs)
      committed.set(channelId, await readCommitted(system.sql, channelId, goneMs + DAY_MS + 60_000))
    const killed = await system.killControlRoom()
    log('the control room is killed')

    const { nodes } = system
    const rungs = await findRungs(nodes, outputs[0]!)
    const watches = outputs.map(createOutputWatch)
    const differences: string[] = []
    const wrong: string[] = []
    const compared = { playlists: 0, segments: 0 }
    /** Requests every rendition from both nodes, and compares the answers. */
    const checkAt = async (atMs: number) => {
      await clock.steer({ kind: 'set', toMs: atMs })
      for (const watch of watches) {
        for (const rung of rungs) {
          const { answer, other, isSame } = await fetchFromBoth(nodes, watch.output, `${rung}.m3u8`)
          const label = `${watch.output.distributor}/${rung} at ${new Date(atMs).toISOString()}`
          if (!isSame) differences.push(`${label}: nodes differ`)
          const listed = watch.checkMedia(atMs, rung, answer.text)
          if ([answer, other].every(({ status }) => status === 200)) compared.playlists += 1
          compared.segments += listed.length
          const difference = findDifference(listed, committed.get(watch.output.channelId)!, rung, atMs)
          if (difference !== undefined) wrong.push(`${label}: ${difference}`)
        }
      }
    }
    const instants = instantsOf(size, goneMs, startsMs)
    let backMs = Number.NaN
    let seen = 0
    for (const [at, atMs] of instants.entries()) {
      // After so many faults the proof has failed; skip the rest of the day.
      if (differences.length + wrong.length >= MOST_FAULTS) break
      if (at === instants.length >> 1) {
        await nodes[1].kill()
        const startedMs = performance.now()
        await nodes[1].startAgain()
        await untilAnswered([nodes[1].url()], outputs[0]!)
        backMs = performance.now() - startedMs
      }
      await checkAt(atMs)
      seen += 1
    }
    // Some seconds around starts coincide with the regular times.
    const leastInstants = size.checks + 25 * size.starts
    const checked = leastInstants * outputs.length * size.renditions
    const violations = watches.flatMap(({ faults }) => faults)
    for (const line of [...differences, ...wrong, ...violations].slice(0, 20)) log(line)
    return measured({
      processes_killed: [killed, { is: 4 }],
      renditions: [rungs.length, { is: size.renditions }],
      hours: [round(((instants[seen - 1] ?? goneMs) - goneMs) / 3_600_000, 2), { atLeast: 23.9 }],
      instants: [seen, { atLeast: leastInstants }],
      playlists_of_both_nodes: [compared.playlists, { atLeast: checked }],
      // The three windows list at least ten, nineteen and seventy-five segments of 3.2 s.
      segments_compared_with_committed: [compared.segments, { atLeast: 25 * checked }],
      segments_listed: [
        watches.reduce((sum, { listed }) => sum + listed().length, 0),
        { atLeast: 5 * leastInstants * outputs.length },
      ],
      ad_breaks_announced: [
        watches.reduce((sum, { breaks }) => sum + breaks().size, 0),
        { atLeast: outputs.length / 3 },
      ],
      differences_between_nodes: [differences.length, { is: 0 }],
      differences_from_what_was_committed: [wrong.length, { is: 0 }],
      violations: [violations.length, { is: 0 }],
      back_after_a_kill_ms: [Math.round(backMs), { atMost: size.backWithinMs ?? Number.POSITIVE_INFINITY }],
    })
  },
})

/** Regular times over the day, and every second of half a minute around program starts. */
function instantsOf(size: GoneSize, goneMs: number, startsMs: readonly number[]): number[] {
  const regular = Array.from(
    { length: size.checks },
    (_, at) => goneMs + Math.round(((at + 1) * DAY_MS) / size.checks),
  )
  const every = Math.max(1, Math.floor(startsMs.length / size.starts))
  const starts = startsMs.filter((startMs, at) => at % every === 0 && startMs < goneMs + DAY_MS - 60_000)
  const around = starts.flatMap((startMs) =>
    Array.from({ length: 30 }, (_, at) => startMs + (at - 5) * 1_000),
  )
  return [...new Set([...regular, ...around])].filter((ms) => ms > goneMs).toSorted((a, b) => a - b)
}

/** The committed timeline of a channel from PostgreSQL, segment by segment; read before PostgreSQL is killed. */
interface Committed {
  readonly segments: ReadonlyMap<number, CommittedSegment>
  /** The last segment that has ended by a time. */
  lastEndedBy(ms: number): number
}

interface CommittedSegment {
  readonly sequence: number
  readonly startMs: number
  readonly endMs: number
  /** Path in the media store, without the rung. */
  readonly path: string
  readonly name: string
}

/** Up to `untilMs`: an unbounded slate follows the schedule. */
async function readCommitted(sql: Sql, channelId: string, untilMs: number): Promise<Committed> {
  const runs = await sql.query<PackedRun>(
    `select number, first_sequence as "firstSequence", start_ticks as "startTicks",
            end_sequence as "endSequence", end_ticks as "endTicks", discontinuity,
            is_start as "isStart", is_end as "isEnd", body as bytes
       from runs where linear_channel_id = $1 and end_sequence > first_sequence order by first_sequence`,
    [channelId],
  )
  const timeline = unpackBetween({ version: 0, runs }, 0, Number.MAX_SAFE_INTEGER)
  if (timeline === undefined) throw new Error('the committed timeline cannot be decoded')
  const all = timeline.runs.flatMap(({ spans }) => spans.flatMap((span) => [...segmentsOf(span, untilMs)]))
  return {
    segments: new Map(all.map((segment) => [segment.sequence, segment])),
    lastEndedBy: (ms) => all.findLast(({ endMs }) => endMs <= ms)?.sequence ?? -1,
  }
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
function findDifference(
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
