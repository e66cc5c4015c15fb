import { type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../platform/log/logger.ts'
import { contentTypeOf, isMediaKey } from '../platform/media-store/media-key.ts'
import type { MediaStore, StoredObject } from '../platform/media-store/media-store.ts'
import { StoreUnavailable } from '../platform/media-store/store-unavailable.ts'
import { isCached } from './entity-tag.ts'
import { MediaNotFound, MediaUnavailable, RangeOutside } from './errors.ts'
import { pathOf } from './request-log.ts'

export const mediaAddresses = ['/media/*'] as const

/** An object never changes, so that a cache need not revalidate it; a year is the usual maximum. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** Headers that pages of other origins may read; players request ranges and measure sizes. */
const EXPOSED_HEADERS = 'Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, X-Request-Id'

/** A reader that reads no byte for this long is disconnected. */
const IDLE_MS = 60_000

/** Serves the objects of the media store under `/media/`, each at its key. */
export function serveMedia(server: FastifyInstance, store: MediaStore, logger: Logger): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: mediaAddresses[0],
    handler: async (request, reply) => {
      // Not the decoded path: a key has one spelling, so that a cache stores it once.
      const key = pathOf(request.url).slice('/media/'.length)
      if (!isMediaKey(key)) throw MediaNotFound(key.slice(0, 256))
      const read = await readFor(request, store, key).catch((error: unknown) => {
        throw error instanceof StoreUnavailable ? MediaUnavailable(error) : error
      })
      if (read === undefined) throw MediaNotFound(key)
      if (read.part.kind === 'outside') {
        reply.header('content-range', `bytes */${read.object.sizeBytes}`)
        throw RangeOutside(read.object.sizeBytes)
      }
      describe(reply, key, read.object)
      if (read.kind === 'not_modified') return reply.code(304).removeHeader('content-type').send()
      const lengthBytes = setLength(reply, read.part, read.object.sizeBytes)
      if (read.stream === undefined) return reply.send()
      reply.raw.setTimeout(IDLE_MS, () => reply.raw.destroy())
      const logError = (err: Error) =>
        logger.error({ err, key, request_id: request.id }, 'media object ended early; closing the connection')
      return reply.send(exactly(read.stream, lengthBytes, logError))
    },
  })
}

interface Read {
  readonly kind: 'not_modified' | 'sent'
  readonly object: StoredObject
  readonly part: RangeResult
  /** Undefined where no content is requested. */
  readonly stream?: Readable
}

/** The answer to a request, opened; undefined where there is no object. */
async function readFor(request: FastifyRequest, store: MediaStore, key: string): Promise<Read | undefined> {
  const { range, 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.headers
  const isPlain = range === undefined && ifNoneMatch === undefined && ifModifiedSince === undefined
  // An unconditional GET of the whole object needs one request to the store.
  if (isPlain && request.method === 'GET') return openPart(store, key, WHOLE)
  const object = await store.find(key)
  if (object === undefined) return undefined
  if (isNotModified(request, object)) return { kind: 'not_modified', object, part: WHOLE }
  if (request.method === 'HEAD') return { kind: 'sent', object, part: WHOLE }
  const part = rangeFor(request, object)
  return part.kind === 'outside' ? { kind: 'sent', object, part } : openPart(store, key, part)
}

const WHOLE: RangeResult = { kind: 'whole' }

async function openPart(store: MediaStore, key: string, part: RangeResult): Promise<Read | undefined> {
  const object = await store.open(key, part.kind === 'part' ? part : undefined)
  return object && { kind: 'sent', object, part, stream: object.stream }
}

function setLength(reply: FastifyReply, part: RangeResult, sizeBytes: number): number {
  const lengthBytes = part.kind === 'part' ? part.to - part.from : sizeBytes
  reply.header('content-length', lengthBytes)
  if (part.kind === 'part') {
    reply.code(206).header('content-range', `bytes ${part.from}-${part.to - 1}/${sizeBytes}`)
  }
  return lengthBytes
}

/** The same for every caller and origin, because caches share it. */
function describe(reply: FastifyReply, key: string, { etag, lastModifiedMs }: StoredObject): void {
  reply
    .type(contentTypeOf(key))
    .header('cache-control', CACHE_CONTROL)
    .header('etag', etag)
    .header('last-modified', new Date(lastModifiedMs).toUTCString())
    .header('accept-ranges', 'bytes')
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED_HEADERS)
    // Allows pages with cross-origin isolation to load it.
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** RFC 9110 §13.2.2: a tag takes precedence over a time. */
function isNotModified({ headers }: FastifyRequest, found: StoredObject): boolean {
  const { 'if-none-match': tags, 'if-modified-since': time } = headers
  if (tags !== undefined) return isCached(tags, found.etag)
  return time !== undefined && Date.parse(time) >= wholeSeconds(found.lastModifiedMs)
}

/** RFC 9110 §13.1.5: a range of another version than the caller has is useless to it. */
function rangeFor({ headers }: FastifyRequest, found: StoredObject): RangeResult {
  const condition = headers['if-range']
  const isSame =
    typeof condition !== 'string' ||
    condition === found.etag ||
    Date.parse(condition) === wholeSeconds(found.lastModifiedMs)
  return isSame ? readRange(headers.range, found.sizeBytes) : { kind: 'whole' }
}

/** The precision of HTTP dates. */
const wholeSeconds = (ms: number) => Math.floor(ms / 1_000) * 1_000

/**
 * Fails unless exactly the announced number of bytes arrives.
 *
 * The length is sent before the bytes are read. A stream that ends early without an error would leave the connection
 * open, and the next answer would be taken for the rest; an error closes it.
 */
function exactly(stream: Readable, lengthBytes: number, logError: (error: Error) => void): Readable {
  let left = lengthBytes
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(left < 0 ? new Error('the store sent more bytes than announced') : null, chunk)
    },
    flush(done) {
      done(left > 0 ? new Error(`the store sent ${left} bytes less than announced`) : null)
    },
  })
  stream.on('error', (error) => counted.destroy(error))
  counted.once('error', logError)
  counted.once('close', () => stream.destroy())
  return stream.pipe(counted)
}

type RangeResult =
  | { readonly kind: 'whole' }
  /** `[from, to)`. */
  | { readonly kind: 'part'; readonly from: number; readonly to: number }
  | { readonly kind: 'outside' }

/** RFC 9110 §14.1.2, one range; the numbers are short enough to be exact. */
const ONE_RANGE = /^bytes=[ \t]*(\d{0,15})-(\d{0,15})[ \t]*$/i

/**
 * The part of an object that a Range header requests.
 *
 * RFC 9110 §14.2 allows a server to ignore the header and send the whole object. That is done for several ranges, which
 * no player sends and which would cost the most, for invalid headers, and for an empty object, which has no range.
 */
export function readRange(header: string | undefined, sizeBytes: number): RangeResult {
  const [, first, last] = ONE_RANGE.exec(header ?? '') ?? []
  if (first === undefined || last === undefined || sizeBytes === 0) return { kind: 'whole' }
  if (first === '') return readSuffix(last, sizeBytes)
  const from = Number(first)
  const to = last === '' ? sizeBytes : Math.min(Number(last) + 1, sizeBytes)
  if (last !== '' && Number(last) < from) return { kind: 'whole' }
  return from < sizeBytes ? { kind: 'part', from, to } : { kind: 'outside' }
}

/** `-500` requests the last 500 bytes. */
function readSuffix(length: string, sizeBytes: number): RangeResult {
  if (length === '') return { kind: 'whole' }
  const wanted = Math.min(Number(length), sizeBytes)
  return wanted === 0 ? { kind: 'outside' } : { kind: 'part', from: sizeBytes - wanted, to: sizeBytes }
}
