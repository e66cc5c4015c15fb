import type { AnswerOf, BodyOf, Operations } from '@continuity/contract'
import { type Answer, answeredText } from '../../http/answer.ts'
import { type PagedCall, pageAnswer } from '../../http/page.ts'
import { bytesOfText } from '../../platform/database/database.ts'
import type { PageKey, PageMarks } from '../../platform/page-mark.ts'
import { type MediaType, withBase, withMedia } from './video-document.ts'
import { imagesOf, type VideoFields, type VideoRecord } from './video-record.ts'
import type { StoredDocument } from './video-store.ts'

type WireVideo = AnswerOf<Operations['getVideo']>
type WireChange = BodyOf<Operations['changeVideo']>

/** `h264` is another spelling of `mp4`. */
export const readMediaType = (query: { readonly media_type: 'hls' | 'mp4' | 'h264' }): MediaType =>
  query.media_type === 'hls' ? 'hls' : 'mp4'

/** What was left out stays left out: only a field that was sent is one to change. */
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

/** One instant has one spelling, so that a change that says the same is seen to be none. */
function readDate(name: string, given: string | null | undefined): [string, string | null][] {
  if (given === undefined) return []
  return [[name, given === null ? null : new Date(given).toISOString()]]
}

/**
 * A page of documents as they are kept, put together and not read. They are bytes, and what is put into them has
 * to be bytes too.
 */
export function videoPageText<R extends StoredDocument>(
  marks: PageMarks,
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
  const { hits, page } = pageAnswer(marks, call, { rows, hitOf, keyOf })
  const rest = JSON.stringify({ page, ...total }).slice(1)
  return answeredText(`{"hits":[${withBase(hits.join(','), bytesOfText(mediaBase))}],${rest}`, {
    isBytes: true,
  })
}

/** What is kept is what is answered: the compiler sees to it that both have the same fields. */
type Same<A, B> = [A] extends [B] ? ([B] extends [A] ? true : never) : never
const isSameRecord: Same<keyof VideoRecord | 'media_type' | 'media_url', keyof WireVideo> = true
void isSameRecord
