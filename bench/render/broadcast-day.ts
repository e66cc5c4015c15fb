import type { SegmentMs } from '@continuity/core/media/house-format'
import type { Media } from '@continuity/core/media/media'
import { planSegments } from '@continuity/core/media/segment-index'
import { planStart } from '@continuity/core/planning/plan'
import type {
  Filler,
  ScheduledItem,
  ScheduledProgram,
  Slates,
} from '@continuity/core/schedule/scheduled-program'
import { ticksOf } from '@continuity/core/time/ticks'
import { noLive } from '@continuity/core/timeline/discontinuity'
import { emptyTimeline, type Run } from '@continuity/core/timeline/run'
import { seededRandom } from '@continuity/dev/seeded-random'
import { makeId, mixSeed } from '../catalog/generate/make-id.ts'

export const DAY_START_MS = Date.UTC(2026, 0, 1)

const SEED = 20_260_701
const PROGRAM_MS = 30 * 60_000
const FRAME_RATE = 30

/** Fillers and promos repeat; videos are shown once a day. */
const FILLER_SECONDS = [90, 60, 45, 30]

export interface DayOptions {
  /** Channels of different numbers have nothing in common. */
  readonly channel: number
  readonly hours: number
  /** When the channel starts. */
  readonly startMs?: number
  /** A text of about so many characters. */
  makeText(random: () => number, characters: number): string
}

/**
 * A committed day of a channel: half-hour programs, each with two videos of 11 minutes, two ad pods of two minutes and
 * a promo; the rest of the time is filled.
 */
export function planDay({ channel, hours, startMs = DAY_START_MS, makeText }: DayOptions): Run {
  const random = seededRandom(mixSeed(SEED, channel))
  const id = () => makeId(DAY_START_MS - Math.floor(random() * 1e9), random)
  const account = id()
  const media = (seconds: number, segmentMs: SegmentMs): Media =>
    mediaOf(`assets/${account}/${id()}/${id()}`, seconds, segmentMs)
  const filler = (seconds: number): Filler => ({
    referenceId: id(),
    title: makeText(random, 30),
    media: media(seconds, 3_200),
  })
  const promo = filler(30)
  const video = (): ScheduledItem => toItem('VIDEO', filler(655 + Math.floor(random() * 300) / FRAME_RATE))
  const programAt = (atMs: number): ScheduledProgram => ({
    program: {
      id: id(),
      title: makeText(random, 30),
      description: makeText(random, 150),
      startMs: atMs,
      endMs: atMs + PROGRAM_MS,
    },
    items: [video(), pod, video(), pod, toItem('INTERSTITIAL', promo)],
  })
  const slates: Slates = {
    timeFill: media(16, 1_600),
    rescue: media(32, 1_600),
    ad: media(16, 1_600),
    fillers: FILLER_SECONDS.map(filler),
  }
  const programs = Array.from({ length: hours * 2 }, (_, at) => programAt(startMs + at * PROGRAM_MS))
  const untilMs = startMs + hours * 3_600_000
  return planStart({ timeline: emptyTimeline, live: noLive, nowMs: startMs }, { programs, slates, untilMs })
}

const pod: ScheduledItem = {
  type: 'AD_POD',
  referenceId: null,
  title: '',
  media: null,
  declaredTicks: ticksOf(120_000),
}

const toItem = (type: 'VIDEO' | 'INTERSTITIAL', { referenceId, title, media }: Filler): ScheduledItem => ({
  type,
  referenceId,
  title,
  media,
  declaredTicks: media.durationTicks,
})

function mediaOf(path: string, seconds: number, segmentMs: SegmentMs): Media {
  const segments = planSegments(Math.round(seconds * FRAME_RATE), FRAME_RATE, segmentMs)
  const durationTicks = segments.reduce((sum, ticks) => sum + ticks, 0)
  return { path, segmentTicks: ticksOf(segmentMs), segmentCount: segments.length, durationTicks }
}
