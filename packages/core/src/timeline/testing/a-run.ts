import type { Piece } from '../../schedule/piece.ts'
import { aMedia, at } from '../../schedule/testing/a-schedule.ts'
import { ticksOf } from '../../time/ticks.ts'
import type { Media } from '../media.ts'
import { numberPieces } from '../number-pieces.ts'
import type { Run } from '../run.ts'
import { type Airing, type AssetShow, type LiveShow, OPEN_SEGMENTS, offsetOf, type Span } from '../span.ts'

/** What a run shows; its parts follow one another. */
export type Part = Omit<Piece, 'startTicks'>

/** So many segments of 3.2 s of a video that has a hundred of them. */
export const plays = (name: string, segments: number, firstSegment = 0): Part =>
  aPart({ kind: 'asset', media: aMedia(name, 320), firstSegment, isLooped: false }, segments)

/** All of a media. */
export const playsAll = (media: Media): Part =>
  aPart({ kind: 'asset', media, firstSegment: 0, isLooped: false }, media.segmentCount)

/** So many segments of 1.6 s of a slate that begins anew after ten of them. */
export const loops = (name: string, segments: number, firstSegment = 0): Part =>
  aPart({ kind: 'asset', media: aMedia(name, 16, 1_600), firstSegment, isLooped: true }, segments)

/** An ad break of so many segments of 1.6 s. */
export function breaksFor(segments: number): Part {
  const part = loops('ad', segments)
  return { ...part, airing: { ...part.airing, type: 'AD_POD' }, adBreakTicks: segments * ticksOf(1_600) }
}

export interface RunFields {
  readonly number?: number
  readonly sequence?: number
  readonly startSeconds?: number
  readonly discontinuity?: number | null
  /** Of a run that starts a channel. */
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
    spans: numberPieces(inARow(parts, at(startSeconds)), sequence),
    isEnd,
  }
}

/** A run of one live span of the source `north`, from slot 100 on where not said otherwise. */
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

function inARow(parts: readonly Part[], fromTicks: number): Piece[] {
  let startTicks = fromTicks
  return parts.map((part) => {
    const piece = { ...part, startTicks }
    startTicks += offsetOf(part, part.segments)
    return piece
  })
}
