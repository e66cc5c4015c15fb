import type { Media } from '../../media/media.ts'
import { numberPlacements } from '../../planning/number-placements.ts'
import type { Placement } from '../../schedule/placement.ts'
import { aMedia, at } from '../../schedule/testing/a-schedule.ts'
import { ticksOf } from '../../time/ticks.ts'
import type { Run } from '../run.ts'
import { type Airing, type AssetShow, type LiveShow, OPEN_SEGMENTS, offsetOf, type Span } from '../span.ts'

/** What a run shows; its parts are contiguous. */
export type Part = Omit<Placement, 'startTicks'>

/** This many segments of 3.2 s of a video of a hundred segments. */
export const plays = (name: string, segments: number, firstSegment = 0): Part =>
  aPart({ kind: 'asset', media: aMedia(name, 320), firstSegment, isLooped: false }, segments)

/** All segments of a media. */
export const playsAll = (media: Media): Part =>
  aPart({ kind: 'asset', media, firstSegment: 0, isLooped: false }, media.segmentCount)

/** This many segments of 1.6 s of a slate that restarts after ten. */
export const loops = (name: string, segments: number, firstSegment = 0): Part =>
  aPart({ kind: 'asset', media: aMedia(name, 16, 1_600), firstSegment, isLooped: true }, segments)

/** An ad break of this many segments of 1.6 s. */
export function breaksFor(segments: number): Part {
  const part = loops('ad', segments)
  return { ...part, airing: { ...part.airing, type: 'AD_POD' }, adBreakTicks: segments * ticksOf(1_600) }
}

export interface RunFields {
  readonly number?: number
  readonly sequence?: number
  readonly startSeconds?: number
  readonly discontinuity?: number | null
  /** Set for a run that starts a channel. */
  readonly shownFromSeconds?: number
  readonly isEnd?: boolean
}

export function aRun(fields: RunFields, ...parts: readonly Part[]): Run {
  const { number = 1, sequence = 0, startSeconds = 0, discontinuity = 0, isEnd = false } = fields
  const { shownFromSeconds } = fields
  return {
    number,
    firstSequence: sequence,
    startTicks: at(startSeconds),
    discontinuity,
    shownFromTicks: shownFromSeconds === undefined ? null : at(shownFromSeconds),
    spans: numberPlacements(inARow(parts, at(startSeconds)), sequence),
    isEnd,
  }
}

/** A run of one live span of the source `north`, from slot 100 on by default. */
export function aLiveRun(
  fields: RunFields &
    Partial<Pick<LiveShow, 'sourceId' | 'firstSlot' | 'joinedSlot'>> &
    Partial<Pick<Span, 'segments'>>,
): Run {
  const { sourceId = 'north', firstSlot = 100, joinedSlot = firstSlot, segments = OPEN_SEGMENTS } = fields
  const run = aRun(fields)
  const { startTicks, firstSequence } = run
  const fill = aMedia('fill', 16)
  const show: LiveShow = { kind: 'live', sourceId, firstSlot, joinedSlot, slotTicks: ticksOf(3_200), fill }
  const airing = { ...anAiring, type: 'LIVE', referenceId: sourceId } as const
  return {
    ...run,
    spans: [{ startTicks, segments, firstSequence, discontinuity: 0, show, airing, adBreak: null }],
  }
}

const anAiring: Airing = { program: null, component: 0, type: 'VIDEO', referenceId: null, title: '' }

const aPart = (show: AssetShow, segments: number): Part => ({
  segments,
  show,
  airing: anAiring,
  adBreakTicks: null,
})

function inARow(parts: readonly Part[], fromTicks: number): Placement[] {
  let startTicks = fromTicks
  return parts.map((part) => {
    const placement = { ...part, startTicks }
    startTicks += offsetOf(part, part.segments)
    return placement
  })
}
