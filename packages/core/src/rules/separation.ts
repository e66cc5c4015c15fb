import type { VideoClass } from './catalog-index.ts'
import type { Memory } from './memory.ts'
import type { CatalogVideo } from './plan-input.ts'
import type { PlanRules, Separation } from './plan-rules.ts'
import { MINUTE_MS } from './zone-time.ts'

/**
 * Which separations an airing would break: bits of a mask, each times FORBIDDEN if the separation is strict. Of two
 * choices, the one with the lower mask is preferred, and those from FORBIDDEN on are not allowed.
 */
export const KEYWORD = 1
export const SERIES = 2
export const VIDEO = 4
export const FORBIDDEN = 8

export interface Separations {
  /** All masks that are allowed, ascending. */
  readonly masks: readonly number[]
  /** What an airing at a time would break by its keywords and, in a class of one series, by its series. */
  ofClass(videoClass: VideoClass, atMs: number): number
  /** What else it would break. */
  ofVideo(video: CatalogVideo, atMs: number): number
  /** The separations that an airing breaks, for people. */
  describe(video: CatalogVideo, atMs: number): string[]
}

interface Limits {
  readonly strictMs: number
  readonly softMs: number
}

export function createSeparations({ separation }: PlanRules, memory: Memory): Separations {
  const video = limitsOf(separation.filter(({ by }) => by === 'VIDEO'))
  const series = limitsOf(separation.filter(({ by }) => by === 'SERIES'))
  const named = [...new Set(separation.map(({ keyword }) => keyword))].filter((each) => each !== null)
  const keywords = new Map(
    named.map((name) => [name, limitsOf(separation.filter(({ keyword }) => keyword === name))]),
  )
  const ofSeries = (id: string, atMs: number) => judge(series, memory.series.get(id), atMs, SERIES)
  const soft = separation.filter(({ strict }) => !strict).reduce((bits, { by }) => bits | bitOf[by], 0)
  return {
    masks: Array.from({ length: FORBIDDEN }, (_, mask) => mask).filter((mask) => (mask & ~soft) === 0),
    ofClass: (videoClass, atMs) =>
      videoClass.keywords.reduce(
        (sum, each) => sum | judge(keywords.get(each)!, memory.keywords.get(each), atMs, KEYWORD),
        videoClass.series === null ? 0 : ofSeries(videoClass.series, atMs),
      ),
    ofVideo: ({ video_id, series_id }, atMs) =>
      judge(video, memory.videos.get(video_id), atMs, VIDEO) |
      (series_id === null ? 0 : ofSeries(series_id, atMs)),
    describe: ({ video_id, series_id, keywords: all }, atMs) => [
      ...describe('the video', video, memory.videos.get(video_id), atMs),
      ...(series_id === null ? [] : describe('the series', series, memory.series.get(series_id), atMs)),
      ...all.flatMap((each) =>
        describe(`keyword ${each}`, keywords.get(each) ?? none, memory.keywords.get(each), atMs),
      ),
    ],
  }
}

const bitOf = { KEYWORD, SERIES, VIDEO } as const

const none: Limits = { strictMs: 0, softMs: 0 }

function limitsOf(rules: readonly Separation[]): Limits {
  const longest = (isStrict: boolean) =>
    Math.max(
      0,
      ...rules.filter(({ strict }) => strict === isStrict).map(({ minutes }) => minutes * MINUTE_MS),
    )
  return { strictMs: longest(true), softMs: longest(false) }
}

function judge({ strictMs, softMs }: Limits, endMs: number | undefined, atMs: number, kind: number): number {
  if (endMs === undefined) return 0
  if (atMs - endMs < strictMs) return kind * FORBIDDEN
  return atMs - endMs < softMs ? kind : 0
}

function describe(name: string, { softMs }: Limits, endMs: number | undefined, atMs: number): string[] {
  if (endMs === undefined || atMs - endMs >= softMs) return []
  const minutes = Math.floor((atMs - endMs) / MINUTE_MS)
  return [`${name} is aired again after ${minutes} of ${softMs / MINUTE_MS} minutes`]
}
