import assert from 'node:assert/strict'
import { type AsRunEntry, asRunOf } from '@continuity/core/as-run/as-run'
import { guideBetween } from '@continuity/core/guide/guide-between'
import { guideSpansOf } from '@continuity/core/guide/guide-spans'
import { msOf, ticksOf } from '@continuity/core/time/ticks'
import { segmentsBetween } from '@continuity/core/timeline/segments'
import type { Program } from '@continuity/core/timeline/span'
import { publishedUntil } from '@continuity/core/timeline/window'
import { type Controller, liveViewOf } from './controller.ts'
import { createTexts, printAt } from './node.ts'
import { digestOf, type Played, RUNG } from './play-history.ts'

/** A program on the air without a pause. */
interface Aired {
  readonly program: Program
  readonly startMs: number
  readonly endMs: number
}

export interface CheckedCounts {
  /** Playlists that were rendered once more in the end, and were the same. */
  readonly renderedAgain: number
  /** Programs of the as-run record that the guide has at their times. */
  readonly programsInGuide: number
  /** Programs that began and ended at their times. */
  readonly programsInTime: number
}

/** What a guide rounds. */
const NEAR_MS = 1_000

/** What a program may begin and end beside its time: half a segment of a slate. */
const BESIDE_MS = 800

const DAY_MS = 86_400_000

/** Holds what was answered against the timeline as it stands in the end, and that against guide and as-run record. */
export function checkPlayed({ controller, answered, endMs }: Played): CheckedCounts {
  const live = liveViewOf(controller.sources, { nowMs: endMs + 3_600_000 }, 0)
  const timeline = controller.timeline()
  const texts = createTexts()
  const again = answered.map(({ atMs, output }) =>
    printAt(timeline, { output, rung: RUNG, atMs }, live, texts),
  )
  for (const [at, { atMs, digest }] of answered.entries()) {
    assert.equal(digestOf(again[at]), digest, `what was published at ${atMs} has changed`)
  }
  const segments = [...segmentsBetween(timeline, 0, publishedUntil(timeline, ticksOf(endMs)) ?? 0, live)]
  const addresses = segments.map(({ shown }) => texts.addressOf(shown, RUNG))
  for (const text of again) checkAddresses(text, addresses)
  const asRun = asRunOf(segments)
  return {
    renderedAgain: again.filter((text) => text !== undefined).length,
    programsInGuide: checkGuide(controller, asRun, endMs),
    programsInTime: checkStarts(controller, asRun, endMs),
  }
}

/** The playlist and the record have the same segments. */
function checkAddresses(text: string | undefined, addresses: readonly string[]): void {
  if (text === undefined) return
  const first = Number(/^#EXT-X-MEDIA-SEQUENCE:(\d+)$/m.exec(text)![1])
  const listed = text.split('\n').filter((line) => line.startsWith('/'))
  assert.deepEqual(listed, addresses.slice(first, first + listed.length))
}

/** The guide has every program that was on, and when, to within what it rounds. */
function checkGuide(controller: Controller, asRun: readonly AsRunEntry[], endMs: number): number {
  const timeline = controller.timeline()
  const aired = guideSpansOf(timeline)
  const { startTicks, endTicks } = { startTicks: aired[0]!.startTicks, endTicks: aired.at(-1)!.endTicks }
  // What was not planned in time was the slate, and a channel that is off the air goes on with nothing.
  const committedUntilMs = timeline.runs.at(-1)!.isEnd ? endMs + DAY_MS : Math.max(msOf(endTicks), endMs)
  const order = { aired, programs: [], committedUntilMs, nowMs: endMs, fromMs: msOf(startTicks), toMs: endMs }
  const guide = guideBetween(order)
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

/** Each program that nothing was in the way of began at its time, ended at its end, and had no hole. */
function checkStarts(
  { scheduled, programs, changes }: Controller,
  asRun: readonly AsRunEntry[],
  endMs: number,
): number {
  const airings = joinAirings(asRun)
  let count = 0
  for (const { program } of programs()) {
    const inTheWay = !scheduled.some(
      ({ fromMs, toMs }) => fromMs <= program.startMs && toMs > program.endMs + 5_000,
    )
    const wasPlanned = changes.some(
      ({ runs }) =>
        runs[0]!.startTicks <= ticksOf(program.startMs) && runs.some((run) => names(run, program)),
    )
    if (inTheWay || !wasPlanned || program.endMs > endMs - 10_000) continue
    const mine = airings.filter((it) => it.program.id === program.id)
    // The control room was away for too long: nobody planned what comes after, or the rest came late.
    if (
      asRun.some(
        (it) => isSpareSlate(it) && mine.some(({ endMs: leftMs }) => isNear(msOf(it.startTicks), leftMs)),
      )
    )
      continue
    assert.equal(mine.length, 1, `${program.id} was on ${mine.length} times`)
    assert.ok(
      isNear(mine[0]!.startMs, program.startMs, BESIDE_MS),
      `${program.id} began ${mine[0]!.startMs - program.startMs} ms late`,
    )
    assert.ok(
      isNear(mine[0]!.endMs, program.endMs, BESIDE_MS),
      `${program.id} ended ${mine[0]!.endMs - program.endMs} ms late`,
    )
    count += 1
  }
  return count
}

const isSpareSlate = ({ type, program }: AsRunEntry): boolean => type === 'SLATE' && program === null

const names = (run: Controller['changes'][number]['runs'][number], { id }: Program): boolean =>
  run.spans.some(({ airing }) => airing.program?.id === id)

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

const isNear = (one: number, other: number, ms = NEAR_MS): boolean => Math.abs(one - other) <= ms
