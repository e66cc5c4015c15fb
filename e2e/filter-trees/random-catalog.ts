import type {
  VideoRecord,
  VideoStatus,
} from '../../packages/server/src/modules/catalog/records/video-record.ts'
import type { Draw } from '../draw.ts'
import { awkwardLabels, awkwardTexts, partnerIds } from './awkward-values.ts'
import { type SomeSeries, someText, words } from './random-texts.ts'

/** The time that every search of the proof happens at. */
export const NOW_MS = Date.parse('2026-03-14T15:09:26.535Z')

const DAY_MS = 86_400_000

export interface CatalogVideo {
  readonly record: VideoRecord
  readonly seriesTitle: string
}

export interface CatalogParts {
  readonly brandIds: readonly string[]
  readonly series: readonly SomeSeries[]
}

export const brandIds: readonly string[] = partnerIds.filter((_, at) => at % 3 === 0)
const channelIds: readonly string[] = [
  ...Array.from({ length: 5 }, (_, at) => `019cebb0-0000-7000-8000-00000000000${at}`),
  'a~b',
  "c'd\\e",
]
const statuses: readonly VideoStatus[] = [
  'READY',
  'READY',
  'READY',
  'DRAFT',
  'PROCESSING',
  'DISABLED',
  'ERROR',
]

/** Few values for each field, so that videos share them; each field is sometimes missing. */
export function makeCatalog(draw: Draw, count: number, parts: CatalogParts): CatalogVideo[] {
  return Array.from({ length: count }, (_, at) => makeVideo(draw, at, parts))
}

function makeVideo(draw: Draw, at: number, parts: CatalogParts): CatalogVideo {
  const orNull = <T>(value: T): T | null => (draw.chance(0.25) ? null : value)
  const label = () => orNull(draw.one(awkwardLabels.slice(0, 12 + draw.below(awkwardLabels.length - 11))))
  const series = orNull(draw.one(parts.series))
  const createdMs = NOW_MS - draw.below(6) * 30 * DAY_MS + draw.below(3)
  const channels = [...new Set(draw.some(0, 3, () => draw.one(channelIds)))]
  const record: VideoRecord = {
    video_id: idAt(createdMs, at, draw),
    source_id: orNull(draw.one(partnerIds)),
    // Unique within a source.
    video_source_id: orNull(`${draw.one(awkwardTexts)}${at}`),
    brand_id: orNull(draw.one(parts.brandIds)),
    channel_id: channels[0] ?? null,
    channel_ids: channels,
    series_id: series?.seriesId ?? null,
    season_number: orNull(draw.one([0, 1, 2, 3, 100_000])),
    episode_number: orNull(draw.one([0, 1, 2, 10, 11, 1_000_000])),
    title: draw.chance(0.1) ? draw.one(awkwardTexts) : someText(draw, 1, 5),
    description: draw.chance(0.2) ? '' : someText(draw, 3, 25),
    keywords: draw.some(0, 4, () => (draw.chance(0.2) ? draw.one(awkwardTexts) : someText(draw, 1, 3))),
    genres: draw.some(0, 3, () => ({ genre: draw.one(awkwardLabels), sub_genre: draw.one(awkwardLabels) })),
    audio_language: label(),
    country_origin: label(),
    content_format: label(),
    content_type: label(),
    cut: label(),
    periodicity: label(),
    parental_rating: label(),
    duration: draw.one([0, 1, 59, 60, 1_440, 604_800, draw.below(604_800)]),
    date_published: orNull(someDate(draw)),
    date_available: orNull(someDate(draw)),
    date_expired: orNull(someDate(draw)),
    date_created: new Date(createdMs).toISOString(),
    last_updated: new Date(createdMs + draw.one([0, 1, DAY_MS, draw.below(DAY_MS)])).toISOString(),
    status: draw.one(statuses),
    images: [],
    cue_points_ms: null,
    cue_points: [],
  }
  return { record, seriesTitle: series?.title ?? '' }
}

/** Near few times, so that many are equal and many differ by a millisecond; some at the bounds of dates. */
function someDate(draw: Draw): string {
  if (draw.chance(0.02)) return draw.one(['0001-01-01T00:00:00.000Z', '9999-12-31T23:59:59.999Z'])
  const dayMs = NOW_MS + (draw.below(9) - 4) * 15 * DAY_MS
  return new Date(dayMs + draw.below(3) - 1 + (draw.chance(0.3) ? draw.below(DAY_MS) : 0)).toISOString()
}

/** A UUIDv7 of that time, as the server makes them; the number makes it unique. */
function idAt(atMs: number, n: number, draw: Draw): string {
  const time = atMs.toString(16).padStart(12, '0')
  const randomHex = draw
    .below(2 ** 32)
    .toString(16)
    .padStart(8, '0')
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomHex.slice(0, 3)}-8${randomHex.slice(3, 6)}-${n.toString(16).padStart(12, '0')}`
}

/** Any word of the catalog, for a query that may match nothing. */
export const anyWord = (draw: Draw): string => draw.one(words)
