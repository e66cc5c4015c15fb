import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { type AsRunEntry, asRunOf } from '@continuity/core/as-run/as-run'
import { guideBetween } from '@continuity/core/guide/guide-between'
import { guideSpansOf } from '@continuity/core/guide/guide-spans'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import type { Run } from '@continuity/core/timeline/run'
import { segmentsBetween } from '@continuity/core/timeline/segments'
import type { Program } from '@continuity/core/timeline/span'
import { publishedUntil } from '@continuity/core/timeline/window'
import { type Controller, liveViewOf } from './channel-control.ts'
import { createTexts, type PlaylistRequest, printAt } from './channel-nodes.ts'

/** An uninterrupted airing of a program. */
interface Aired {
  readonly program: Program
  readonly startMs: number
  readonly endMs: number
}

export interface Answered {
  readonly request: PlaylistRequest
  /** SHA-1 of the text; undefined while the channel was off air. */
  readonly digest: string | undefined
}

interface CheckedCounts {
  /** Playlists that were rendered again at the end, with the same result. */
  readonly renderedAgain: number
  /** Programs of the as-run record that the guide lists at their times. */
  readonly programsInGuide: number
  /** Programs that began and ended at their times. */
  readonly programsInTime: number
}

/** Rounding of guide times. */
const NEAR_MS = 1_000

/** How far a program may begin and end from its time: half a segment of a slate. */
const BESIDE_MS = 800

const DAY_MS = 86_400_000

/** Compares all answers with the final timeline, and the timeline with the guide and the as-run record. */
export function checkHistory(
  controller: Controller,
  answered: readonly Answered[],
  endMs: number,
): CheckedCounts {
  const live = liveViewOf(controller.sources, { nowMs: endMs + 3_600_000 }, 0)
  const timeline = controller.timeline()
  const texts = createTexts()
  const again = answered.map(({ request, digest }) => {
    const text = printAt(timeline, request, live, texts)
    assert.equal(text && hash('sha1', text, 'base64'), digest, `the playlist of ${request.atMs} has changed`)
    return text
  })
  const segments = [...segmentsBetween(timeline, 0, publishedUntil(timeline, ticksOf(endMs)) ?? 0, live)]
  const { rung } = answered[0]!.request
  const addresses = segments.map(({ shown }) => texts.addressOf(shown, rung))
  for (const text of again) checkAddresses(text, addresses)
  const asRun = asRunOf(segments)
  return {
    renderedAgain: again.filter((text) => text !== undefined).length,
    programsInGuide: checkGuide(controller, asRun, endMs),
    programsInTime: checkStarts(controller, asRun, endMs),
  }
}

/** The playlist and the as-run record have the same segments. */
function checkAddresses(text: string | undefined, addresses: readonly string[]): void {
  if (text === undefined) return
  const first = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)![1])
  const listed = text.split('\n').filter((line) => line.startsWith('/'))
  assert.deepEqual(listed, addresses.slice(first, first + listed.length))
}

/** The guide lists every aired program, at its times up to rounding. */
function checkGuide(controller: Controller, asRun: readonly AsRunEntry[], endMs: number): number {
  const timeline = controller.timeline()
  const aired = guideSpansOf(timeline)
  const { endTicks } = aired.at(-1)!
  // All of the time counts as committed: unplanned time was slate, and a stopped channel shows nothing.
  const committedUntilMs = timeline.runs.at(-1)!.isEnd ? endMs + DAY_MS : Math.max(msOf(endTicks), endMs)
  const range = { committedUntilMs, nowMs: endMs, fromMs: msOf(aired[0]!.startTicks), toMs: endMs }
  const guide = guideBetween({ aired, programs: [], ...range })
  let count = 0
  for (const { program, startMs, endMs: toMs } of joinAirings(asRun)) {
    if (toMs - startMs <= 2 * NEAR_MS || toMs >= endMs - 10_000) continue
    const found = guide.some(
      (entry) =>
        entry.program.id === program.id && isNear(entry.startMs, startMs) && isNear(entry.endMs, toMs),
    )
    assert.ok(found, `${program.id} from ${startMs} to ${toMs} is not in the guide`)
    count += 1
  }
  return count
}

/** Every program that nothing interrupted began and ended at its times, without a gap. */
function checkStarts(
  { scheduled, programs, changes }: Controller,
  asRun: readonly AsRunEntry[],
  endMs: number,
): number {
  const airings = joinAirings(asRun)
  let count = 0
  for (const { program } of programs()) {
    const followed = scheduled.some(
      ({ fromMs, toMs }) => fromMs <= program.startMs && toMs > program.endMs + 5_000,
    )
    const wasPlanned = changes.some(
      ({ runs }) =>
        runs[0]!.startTicks <= ticksOf(program.startMs) && runs.some((run) => names(run, program)),
    )
    if (!followed || !wasPlanned || program.endMs > endMs - 10_000) continue
    const mine = airings.filter((it) => it.program.id === program.id)
    // The control room was absent for too long: the program was not planned, or planned late.
    const isCutOff = (it: AsRunEntry) =>
      isSpareSlate(it) && mine.some(({ endMs: leftMs }) => isNear(msOf(it.startTicks), leftMs))
    if (asRun.some(isCutOff)) continue
    assert.equal(mine.length, 1, `${program.id} was aired ${mine.length} times`)
    const [beganMs, endedMs] = [mine[0]!.startMs - program.startMs, mine[0]!.endMs - program.endMs]
    assert.ok(Math.abs(beganMs) <= BESIDE_MS, `${program.id} began ${beganMs} ms late`)
    assert.ok(Math.abs(endedMs) <= BESIDE_MS, `${program.id} ended ${endedMs} ms late`)
    count += 1
  }
  return count
}

const isSpareSlate = ({ type, program }: AsRunEntry): boolean => type === 'SLATE' && program === null

const names = ({ spans }: Run, { id }: Program): boolean =>
  spans.some(({ airing }) => airing.program?.id === id)

function joinAirings(asRun: readonly AsRunEntry[]): Aired[] {
  const joined: (Aired & { endTicks: number })[] = []
  for (const { program, startTicks, endTicks } of asRun) {
    const last = joined.at(-1)
    if (program === null) continue
    if (last?.program.id === program.id && last.endTicks === startTicks) {
      joined[joined.length - 1] = { ...last, endMs: msOf(endTicks), endTicks }
    } else joined.push({ program, startMs: msOf(startTicks), endMs: msOf(endTicks), endTicks })
  }
  return joined
}

const isNear = (one: number, other: number): boolean => Math.abs(one - other) <= NEAR_MS
