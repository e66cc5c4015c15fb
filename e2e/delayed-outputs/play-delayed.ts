import type { FeedOutput } from '@continuity/core/feed/feed-message'
import { CUT_MARGIN_MS } from '@continuity/core/timeline/cut-margin'
import { createController, liveViewOf } from '../channel-rules/controller.ts'
import { createDraw, type Draw } from '../draw.ts'
import { createDelayedNode, type DelayedNode } from './delayed-node.ts'
import { datesOf, shiftGuide, shiftPlaylist } from './shift-text.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000
const DAY_MS = 24 * HOUR_MS
const BEGIN_MS = Date.UTC(2026, 10, 15, 12)

/** Plus one, west, the longest, and one that is no multiple of a minute or a segment. */
export const delaysMs = [HOUR_MS, 3 * HOUR_MS, DAY_MS, 5_027_000]

const styles = [
  { name: 'plain', windowMs: 32_000, markers: 'BOTH', breakPolicy: 'ACTUAL' },
  { name: 'cues', windowMs: 300_000, markers: 'CUE', breakPolicy: 'FULL_LENGTH' },
  { name: 'ranges', windowMs: 60_000, markers: 'DATERANGE', breakPolicy: 'FULL_LENGTH' },
] as const

const outputs: readonly FeedOutput[] = styles.flatMap(({ name, ...style }) =>
  [0, ...delaysMs].map((delayMs) => ({ distributor: `${name}-${delayMs}`, key: 'c', delayMs, ...style })),
)

const channel = {
  accountId: 'north',
  channelId: 'c',
  title: 'North',
  description: '',
  frameRate: 30,
  segmentMs: 3_200,
  outputs,
} as const

export interface PlayedDelayed {
  readonly counts: Record<DelayedCount, number>
  readonly carriedOut: ReadonlyMap<string, number>
  readonly changes: number
  readonly faults: readonly string[]
}

export type DelayedCount =
  | 'same'
  | 'different'
  | 'sameShifted'
  | 'off'
  | 'withBreaks'
  | 'withLive'
  | 'ended'
  | 'wrongDates'
  | 'guides'
  | 'differentGuides'

/** Requests to be made at a time. */
interface Event {
  readonly atMs: number
  run(): Promise<void>
}

/**
 * Records a channel at every minute as it is on air, through a random history, and compares every delayed output its
 * delay later, when the node knows all that came since.
 */
export async function playDelayed(seed: number, hours: number): Promise<PlayedDelayed> {
  const draw = createDraw(seed)
  const endMs = BEGIN_MS + hours * HOUR_MS
  const clock = { nowMs: BEGIN_MS }
  const room = { fromMs: BEGIN_MS, toMs: endMs + DAY_MS, aheadMs: 4 * HOUR_MS, longestProgramMs: 1_800_000 }
  const controller = createController(draw, room)
  const node = createDelayedNode(channel, clock, liveViewOf(controller.sources, clock, 0))
  const recorded = new Map<string, string>()
  const faults: string[] = []
  const counts: Record<DelayedCount, number> = {
    same: 0,
    different: 0,
    sameShifted: 0,
    off: 0,
    withBreaks: 0,
    withLive: 0,
    ended: 0,
    wrongDates: 0,
    guides: 0,
    differentGuides: 0,
  }
  const countContent = (text: string) => {
    if (text.startsWith('404')) counts.off += 1
    if (/DATERANGE|CUE/.test(text)) counts.withBreaks += 1
    if (text.includes('/media/live/')) counts.withLive += 1
    if (text.endsWith('#EXT-X-ENDLIST\n')) counts.ended += 1
  }
  const compare = async (minuteMs: number, delayMs: number, shiftMs: number) => {
    for (const { name, windowMs } of styles) {
      const expected = shiftPlaylist(recorded.get(`${name} ${minuteMs}`)!, delayMs)
      const query = shiftMs === 0 ? '' : `?shift_ms=${shiftMs}`
      const text = await node.get(`${name}-${delayMs}`, `360p.m3u8${query}`)
      if (!hasOwnDates(text, clock.nowMs - shiftMs, windowMs)) counts.wrongDates += 1
      // Before the first start a shifted viewer gets the error of a shift.
      const isBeforeStart = shiftMs > 0 && expected.startsWith('404') && text === '404 shift.out_of_reach'
      const isSame = text === expected || isBeforeStart
      if (!isSame) {
        counts.different += 1
        faults.push(`${name}, delay ${delayMs}, shift ${shiftMs}, ${minuteMs - BEGIN_MS} ms`)
        continue
      }
      if (isBeforeStart) continue
      if (shiftMs > 0) counts.sameShifted += 1
      else {
        counts.same += 1
        countContent(text)
      }
    }
  }
  const compareGuide = async (delayMs: number) => {
    // The first program of a guide may have begun in a part of the timeline that the guide does not read.
    const expected = shiftGuide(await node.get('plain-0', 'epg.json'), delayMs).slice(1)
    const given = JSON.parse(await node.get(`plain-${delayMs}`, 'epg.json')) as { programs: unknown[] }
    const last = given.programs.slice(given.programs.length - expected.length)
    counts.guides += 1
    if (expected.length > 0 && JSON.stringify(last) === JSON.stringify(expected)) return
    counts.differentGuides += 1
    faults.push(`guide, delay ${delayMs}, ${clock.nowMs - BEGIN_MS} ms`)
  }
  const record = async (minuteMs: number) => {
    for (const { name } of styles)
      recorded.set(`${name} ${minuteMs}`, await node.get(`${name}-0`, '360p.m3u8'))
    node.sweep()
  }

  const events: Event[] = []
  for (let minuteMs = BEGIN_MS; minuteMs < endMs; minuteMs += MINUTE_MS) {
    events.push({ atMs: minuteMs, run: () => record(minuteMs) })
    for (const delayMs of delaysMs) {
      events.push({ atMs: minuteMs + delayMs, run: () => compare(minuteMs, delayMs, 0) })
      if (draw.chance(0.02)) events.push({ atMs: minuteMs + delayMs, run: () => compareGuide(delayMs) })
      if (!draw.chance(0.1) || delayMs === DAY_MS) continue
      const shiftMs = 10_000 * (1 + draw.below((DAY_MS - delayMs) / 10_000))
      events.push({ atMs: minuteMs + delayMs + shiftMs, run: () => compare(minuteMs, delayMs, shiftMs) })
    }
  }
  const runUntil = createRoom(draw, controller, node, clock)
  for (const { atMs, run } of events.toSorted((one, other) => one.atMs - other.atMs)) {
    runUntil(atMs)
    clock.nowMs = atMs
    await run()
  }
  return { counts, carriedOut: controller.carriedOut, changes: controller.changes.length, faults }
}

/** Sends commands and plans ahead up to a time, and gives each change to the node within the cut margin. */
function createRoom(
  draw: Draw,
  controller: ReturnType<typeof createController>,
  node: DelayedNode,
  clock: { nowMs: number },
): (untilMs: number) => void {
  let commandMs = BEGIN_MS
  let extendMs = BEGIN_MS + HOUR_MS
  let applied = 0
  let deliverMs = 0
  const deliver = (untilMs: number) => {
    for (; applied < controller.changes.length; applied += 1) {
      const { atMs, runs } = controller.changes[applied]!
      if (deliverMs < atMs) deliverMs = atMs + draw.below(CUT_MARGIN_MS)
      if (deliverMs > untilMs) return
      clock.nowMs = deliverMs
      node.apply(runs)
    }
  }
  return (untilMs) => {
    while (Math.min(commandMs, extendMs) <= untilMs) {
      const atMs = Math.min(commandMs, extendMs)
      deliver(atMs)
      clock.nowMs = atMs
      if (atMs === commandMs) {
        controller.sendCommand(atMs)
        commandMs += 1 + draw.below(900_000)
      } else {
        controller.extend(atMs)
        extendMs += HOUR_MS
      }
    }
    deliver(untilMs)
  }
}

/** Whether the dates of a playlist are those of its viewers: in the window before their time, and the end may be older. */
function hasOwnDates(text: string, nowMs: number, windowMs: number): boolean {
  const latest = Math.max(...datesOf(text))
  const isOld = windowMs + 60_000 + 15_000
  return (
    !text.startsWith('#EXTM3U') ||
    (datesOf(text).length > 0 && latest <= nowMs + 10_000 && latest > nowMs - isOld)
  )
}
