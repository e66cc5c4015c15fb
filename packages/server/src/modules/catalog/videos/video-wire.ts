import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import { type Answer, answeredText } from '../../../http/answer.ts'
import { type PagedCall, pageAnswer } from '../../../http/page.ts'
import type { PageCursors, PageKey } from '../../../platform/crypto/page-cursor.ts'
import { bytesOfText } from '../../../platform/database/database.ts'
import { type MediaType, withBase, withMedia } from '../records/video-document.ts'
import { imagesOf, type VideoFields, type VideoRecord } from '../records/video-record.ts'
import type { StoredDocument } from '../records/video-store.ts'

type WireVideo = AnswerOf<Operations['getVideo']>
type WireChange = BodyOf<Operations['changeVideo']>

/** `h264` is another spelling of `mp4`. */
export const readMediaType = (query: { readonly media_type: 'hls' | 'mp4' | 'h264' }): MediaType =>
  query.media_type === 'hls' ? 'hls' : 'mp4'

/** Omitted fields stay omitted: only fields that were sent are changed. */
export function readVideoFields(body: WireChange): Partial<VideoFields> {
  const { images, hls_url, mp4_url, ...fields } = body
  return {
    ...fields,
    ...Object.fromEntries(dateNames.flatMap((name) => readDate(name, body[name]))),
    ...(images === undefined ? {} : { images: imagesOf(images) }),
    ...(hls_url === undefined ? {} : { hlsPath: hls_url }),
    ...(mp4_url === undefined ? {} : { mp4Path: mp4_url }),
  }
}

const dateNames = ['date_published', 'date_available', 'date_expired'] as const

/** One format for each time, so that the same time in another format is not a change. */
function readDate(name: string, given: string | null | undefined): [string, string | null][] {
  if (given === undefined) return []
  return [[name, given === null ? null : new Date(given).toISOString()]]
}

/**
 * A page of stored documents, concatenated without parsing. They are bytes, so the base address must be bytes too.
 */
export function videoPageText<R extends StoredDocument>(
  pageCursors: PageCursors,
  call: PagedCall,
  content: {
    readonly rows: readonly R[]
    readonly keyOf: (row: R) => PageKey
    readonly mediaType: MediaType
    readonly mediaBase: string
    readonly total: { readonly total: number; readonly total_relation?: 'eq' | 'gte' }
  },
): Answer<never> {
  const { rows, keyOf, mediaType, mediaBase, total } = content
  const hitOf = ({ document, mediaPath }: R) => withMedia(document, mediaType, mediaPath)
  const { hits, page } = pageAnswer(pageCursors, call, { rows, hitOf, keyOf })
  const rest = JSON.stringify({ page, ...total }).slice(1)
  return answeredText(`{"hits":[${withBase(hits.join(','), bytesOfText(mediaBase))}],${rest}`, {
    isBytes: true,
  })
}

/** The stored document is returned as it is: the compiler checks that it has the fields of the contract. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
const isSameRecord: Same<keyof VideoRecord | 'media_type' | 'media_url', keyof WireVideo> = true
void isSameRecord
