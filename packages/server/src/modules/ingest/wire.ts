import { createHash } from 'node:crypto'
import {
  type AnswerOf,
  type BodyOf,
  KEYWORD_LENGTH,
  KEYWORDS_MAXIMUM,
  type Operations,
} from '@continuity/contract'
import { inOrder } from '../../platform/concurrency/in-order.ts'
import type { RequestDraft } from './accept-request.ts'
import type { ItemStatus, NewItem, VideoDocument } from './item-store.ts'
import type { IngestRequest, Reason } from './request-store.ts'

type WireRequest = BodyOf<Operations['scheduleProgram']>
type WireItem = WireRequest['videos'][number]
type WireVideo = Extract<WireItem, { type: 'VIDEO' }>

export function readRequest(body: WireRequest): RequestDraft {
  const startMs = Date.parse(body.schedule.start_time)
  const draft = {
    channelId: body.linear_channel_id,
    sourceId: body.source_id,
    brandId: body.brand_id ?? null,
    programTitle: body.program_title,
    programDescription: body.program_description ?? '',
    startMs,
    endMs: startMs + body.schedule.duration_ms,
    items: body.videos.map(readItem),
    warnings: fewOf(body.videos.flatMap(warningsOf)),
  }
  return { ...draft, contentHash: hashOf(draft) }
}

/**
 * The same content has the same hash in any order of its fields, because the parsed draft has a fixed order. Sorting every
 * field of a body of a thousand items took longer than the rest of its processing.
 */
const hashOf = (draft: Omit<RequestDraft, 'contentHash'>): Buffer =>
  createHash('sha256').update(JSON.stringify(draft)).digest()

function readItem(item: WireItem): NewItem {
  if (item.type === 'AD_POD') return { type: 'AD_POD', duration: item.duration }
  const { duration, video_source_id: videoSourceId } = item
  return { type: 'VIDEO', duration, videoSourceId, document: documentOf(item) }
}

function documentOf(item: WireVideo): VideoDocument {
  const { date_published } = item
  return {
    title: item.title,
    video_url: item.video_url,
    image_url: item.image_url ?? null,
    description: item.description ?? '',
    keywords: readKeywords(item.keywords ?? ''),
    date_published: date_published === undefined ? null : new Date(date_published).toISOString(),
    genres: (item.genres ?? []).map(({ genre = '', sub_genre = '' }) => ({ genre, sub_genre })),
    audio_language: item.audio_language ?? null,
    country_origin: item.country_origin ?? null,
    content_format: item.content_format ?? null,
    content_type: item.content_type ?? null,
    cut: item.cut ?? null,
    periodicity: item.periodicity ?? null,
    parental_rating: item.parental_rating ?? null,
    extra: inOrder(Object.fromEntries(Object.entries(item).filter(([name]) => !known.has(name)))),
  }
}

/** As many as a record of the catalog takes, and as long; a partner's list may be longer. */
const readKeywords = (text: string) =>
  [...new Set(text.split(',').map((word) => firstCharacters(word.trim(), KEYWORD_LENGTH)))]
    .filter((word) => word !== '')
    .slice(0, KEYWORDS_MAXIMUM)

/** Characters as JSON Schema counts them, so that none is cut in two: PostgreSQL rejects half of one. */
const firstCharacters = (text: string, most: number) =>
  text.length <= most ? text : [...text].slice(0, most).join('')

/** The fields of a VIDEO item. The compiler checks that none is missing. */
const known: ReadonlySet<string> = new Set(
  Object.keys({
    type: true,
    video_source_id: true,
    title: true,
    description: true,
    keywords: true,
    date_published: true,
    image_url: true,
    video_url: true,
    duration: true,
    genres: true,
    audio_language: true,
    country_origin: true,
    content_format: true,
    content_type: true,
    cut: true,
    periodicity: true,
    parental_rating: true,
  } satisfies Record<keyof WireVideo, true>),
)

/** As many as a person reads. */
const WARNINGS_MAXIMUM = 100

function fewOf(warnings: readonly Reason[]): readonly Reason[] {
  const more = warnings.length - WARNINGS_MAXIMUM
  if (more <= 0) return warnings
  const rest = { code: 'request.more_warnings', message: `And ${more} more like these.` }
  return [...warnings.slice(0, WARNINGS_MAXIMUM), rest]
}

function warningsOf(item: WireItem, index: number): Reason[] {
  const names = item.type === 'VIDEO' ? Object.keys(item).filter((name) => !known.has(name)) : []
  return names.map((name) => ({
    code: 'item.unknown_field',
    message: `/videos/${index}/${name} is not a known field; it is stored as it was sent.`,
  }))
}

export function toWireStatus(
  request: IngestRequest,
  items: readonly ItemStatus[],
): AnswerOf<Operations['getScheduleRequest']> {
  const changedMs = Math.max(request.updatedMs, ...items.map(({ updatedMs }) => updatedMs ?? 0))
  return {
    request_id: request.requestId,
    linear_channel_id: request.channelId,
    source_id: request.sourceId,
    program_id: request.programId,
    program_title: request.programTitle,
    state: request.state,
    reason: request.reason,
    warnings: [...request.warnings, ...items.flatMap(warningOfFailed)],
    items: items.map((item) => ({
      type: item.type,
      video_source_id: item.videoSourceId,
      video_id: item.videoId,
      state: item.state,
      progress: Math.round(item.progress * 1_000) / 1_000,
      reason: item.reason,
    })),
    created_date: new Date(request.createdMs).toISOString(),
    last_updated: new Date(changedMs).toISOString(),
  }
}

/** The reason itself is in the item. */
const warningOfFailed = ({ state }: ItemStatus, index: number): Reason[] =>
  state === 'FAILED'
    ? [{ code: 'item.failed', message: `/videos/${index} cannot be played; its time is filled.` }]
    : []
