import { type ClockControl, startClockControl } from '@continuity/dev/clock-control'
import { createDraw } from '@continuity/dev/draw'
import { round } from '@continuity/dev/figures'
import { proof } from '../proof.ts'
import { PATIENCE_MS, untilAnswered } from './channels.ts'
import { type Committed, findDifference, readCommitted } from './committed.ts'
import { fetchFromBoth, findRungs } from './fetch-from-both.ts'
import { type DaySize, putDayOnAir } from './full-day.ts'
import { type OnAirSystem, startOnAirSystem } from './on-air-system.ts'
import { createOutputWatch, type OutputWatch } from './output-watch.ts'

interface GoneSize extends DaySize {
  /** Checks at regular intervals over the day. */
  readonly checks: number
  /** Program starts around which there is a check each second. */
  readonly starts: number
  /** Minimum number of checks in all. */
  readonly instants: number
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
    small: {
      instants: 120,
      checks: 72,
      starts: 2,
      channels: 2,
      programs: 6,
      itemsOfEach: 20,
      renditions: 1,
      clips: 4,
    },
    full: {
      backWithinMs: 5_000,
      instants: 2_000,
      checks: 1_440,
      starts: 20,
      channels: 3,
      programs: 25,
      itemsOfEach: 300,
      renditions: 2,
      clips: 9,
    },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const clock = await startClockControl(Date.now())
    opened.defer(() => clock.close())
    await clock.steer({ kind: 'rate', rate: 1 })
    const system = await startOnAirSystem(opened, { clock, ...size })
    const { outputs, startsMs } = await putDayOnAir(system, createDraw(seed), size)
    await clock.steer({ kind: 'rate', rate: 0 })
    const committed = new Map<string, Committed>()
    const goneMs = clock.nowMs()
    const untilMs = goneMs + DAY_MS + 60_000
    for (const { channelId } of outputs)
      committed.set(channelId, await readCommitted(system.database, channelId, untilMs))
    const killed = await system.killControlRoom()
    log('the control room is killed')

    const instants = instantsOf(size, goneMs, startsMs)
    const viewer = await openViewer(system, clock, outputs.map(createOutputWatch), committed)
    const [, second] = system.nodes
    let backMs = Number.NaN
    let seen = 0
    for (const [at, atMs] of instants.entries()) {
      // After so many faults the proof has failed; skip the rest of the day.
      if (viewer.countFaults() >= MOST_FAULTS) break
      if (at === instants.length >> 1) {
        await second.kill()
        const startedMs = performance.now()
        await second.startAgain()
        await untilAnswered([second.url()], outputs[0]!, PATIENCE_MS)
        backMs = performance.now() - startedMs
      }
      await viewer.checkAt(atMs)
      seen += 1
    }
    const { differences, wrong, watches, compared } = viewer
    const checked = size.instants * outputs.length * size.renditions
    const violations = watches.flatMap(({ faults }) => faults)
    for (const line of [...differences, ...wrong, ...violations].slice(0, 20)) log(line)
    return {
      figures: {
        processes_killed: killed,
        outputs: outputs.length,
        renditions: viewer.rungs,
        hours: round(((instants[seen - 1] ?? goneMs) - goneMs) / 3_600_000, 2),
        instants: seen,
        playlists_of_both_nodes: compared.playlists,
        segments_compared_with_committed: compared.segments,
        segments_listed: watches.reduce((sum, { listed }) => sum + listed().length, 0),
        ad_breaks_announced: watches.reduce((sum, { breaks }) => sum + breaks().size, 0),
        differences_between_nodes: differences.length,
        differences_from_what_was_committed: wrong.length,
        violations: violations.length,
        served_after_a_kill: Number.isNaN(backMs) ? 0 : 1,
        back_after_a_kill_ms: Math.round(backMs),
      },
      targets: {
        processes_killed: { is: 4 },
        outputs: { is: 3 * size.channels },
        renditions: { is: size.renditions },
        hours: { atLeast: 23.9 },
        instants: { atLeast: size.instants },
        playlists_of_both_nodes: { atLeast: checked },
        // The three windows list at least ten, nineteen and seventy-five segments of 3.2 s.
        segments_compared_with_committed: { atLeast: 25 * checked },
        segments_listed: { atLeast: 5 * size.instants * outputs.length },
        ad_breaks_announced: { atLeast: outputs.length / 3 },
        differences_between_nodes: { is: 0 },
        differences_from_what_was_committed: { is: 0 },
        violations: { is: 0 },
        served_after_a_kill: { is: 1 },
        ...(size.backWithinMs !== undefined && { back_after_a_kill_ms: { atMost: size.backWithinMs } }),
      },
    }
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

interface Viewer {
  checkAt(atMs: number): Promise<void>
  readonly watches: readonly OutputWatch[]
  readonly differences: readonly string[]
  readonly wrong: readonly string[]
  /** Playlists that both nodes returned, compared with the committed timeline. */
  readonly compared: { readonly playlists: number; readonly segments: number }
  readonly rungs: number
  countFaults(): number
}

/** Requests every rendition from both nodes at each instant, and compares the answers. */
async function openViewer(
  { nodes }: OnAirSystem,
  clock: ClockControl,
  watches: readonly OutputWatch[],
  committed: ReadonlyMap<string, Committed>,
): Promise<Viewer> {
  const rungs = await findRungs(nodes, watches[0]!.output)
  const differences: string[] = []
  const wrong: string[] = []
  const compared = { playlists: 0, segments: 0 }
  const checkRung = async (watch: OutputWatch, rung: string, atMs: number) => {
    const { answer, other, isSame } = await fetchFromBoth(nodes, watch.output, `${rung}.m3u8`)
    const label = `${watch.output.distributor}/${rung} at ${new Date(atMs).toISOString()}`
    if (!isSame) differences.push(`${label}: nodes differ`)
    const listed = watch.checkMedia(atMs, rung, answer.text)
    if ([answer, other].every(({ status }) => status === 200)) compared.playlists += 1
    compared.segments += listed.length
    const difference = findDifference(listed, committed.get(watch.output.channelId)!, rung, atMs)
    if (difference !== undefined) wrong.push(`${label}: ${difference}`)
  }
  return {
    watches,
    differences,
    wrong,
    compared,
    rungs: rungs.length,
    countFaults: () => differences.length + wrong.length,
    async checkAt(atMs) {
      await clock.steer({ kind: 'set', toMs: atMs })
      for (const watch of watches) for (const rung of rungs) await checkRung(watch, rung, atMs)
    },
  }
}
