import { type Readable, Transform } from 'node:stream'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Logger } from '../platform/logger.ts'
import { contentTypeOf, isMediaKey } from '../platform/media-store/media-key.ts'
import type { MediaStore, StoredObject } from '../platform/media-store/media-store.ts'
import { StoreUnavailable } from '../platform/media-store/store-unavailable.ts'
import { type RangeResult, readRange } from './byte-range.ts'
import { isHeld } from './entity-tag.ts'
import { MediaNotFound, MediaUnavailable, RangeOutside } from './errors.ts'
import { pathOf } from './request-log.ts'

export const mediaAddresses = ['/media/*'] as const

/** An object never changes, so that a cache need not ask again; a year is what caches take for ever. */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** What a page of another origin may read of an answer; players ask for ranges and measure sizes. */
const EXPOSED_HEADERS = 'Accept-Ranges, Content-Length, Content-Range, ETag, Last-Modified, X-Request-Id'

/** A reader that takes no byte for this long is gone, or holds a file open for nothing. */
const SILENCE_MS = 60_000

/** Serves the objects of the media store under `/media/`, each at its key. */
export function serveMedia(server: FastifyInstance, store: MediaStore, logger: Logger): void {
  server.route({
    method: ['GET', 'HEAD'],
    url: mediaAddresses[0],
    handler: async (request, reply) => {
      // Not the router's decoded one: a key has one spelling, so that a cache keeps it once.
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
      if (read.kind === 'held') return reply.code(304).removeHeader('content-type').send()
      const lengthBytes = tellLength(reply, read.part, read.object.sizeBytes)
      if (read.stream === undefined) return reply.send()
      reply.raw.setTimeout(SILENCE_MS, () => reply.raw.destroy())
      const tell = (err: Error) => logger.error({ err, key, request_id: request.id }, 'an object broke off')
      return reply.send(exactly(read.stream, lengthBytes, tell))
    },
  })
}

interface Read {
  readonly kind: 'held' | 'sent'
  readonly object: StoredObject
  readonly part: RangeResult
  /** Undefined where nothing of the content is asked for. */
  readonly stream?: Readable
}

/** What a request gets, opened; undefined where there is no object. */
async function readFor(request: FastifyRequest, store: MediaStore, key: string): Promise<Read | undefined> {
  const { range, 'if-none-match': ifNoneMatch, 'if-modified-since': ifModifiedSince } = request.headers
  const isPlain = range === undefined && ifNoneMatch === undefined && ifModifiedSince === undefined
  // Whoever wants it all, and has nothing of it, costs one question to the store.
  if (isPlain && request.method === 'GET') return openPart(store, key, WHOLE)
  const object = await store.find(key)
  if (object === undefined) return undefined
  if (holdsAlready(request, object)) return { kind: 'held', object, part: WHOLE }
  if (request.method === 'HEAD') return { kind: 'sent', object, part: WHOLE }
  const part = rangeFor(request, object)
  return part.kind === 'outside' ? { kind: 'sent', object, part } : openPart(store, key, part)
}

const WHOLE: RangeResult = { kind: 'whole' }

async function openPart(store: MediaStore, key: string, part: RangeResult): Promise<Read | undefined> {
  const object = await store.open(key, part.kind === 'part' ? part : undefined)
  return object && { kind: 'sent', object, part, stream: object.stream }
}

function tellLength(reply: FastifyReply, part: RangeResult, sizeBytes: number): number {
  const lengthBytes = part.kind === 'part' ? part.to - part.from : sizeBytes
  reply.header('content-length', lengthBytes)
  if (part.kind === 'part') {
    reply.code(206).header('content-range', `bytes ${part.from}-${part.to - 1}/${sizeBytes}`)
  }
  return lengthBytes
}

/** The same for every caller and whatever its origin, because caches give it to others. */
function describe(reply: FastifyReply, key: string, { etag, lastModifiedMs }: StoredObject): void {
  reply
    .type(contentTypeOf(key))
    .header('cache-control', CACHE_CONTROL)
    .header('etag', etag)
    .header('last-modified', new Date(lastModifiedMs).toUTCString())
    .header('accept-ranges', 'bytes')
    .header('access-control-allow-origin', '*')
    .header('access-control-expose-headers', EXPOSED_HEADERS)
    // A page that isolates itself may show it all the same.
    .header('cross-origin-resource-policy', 'cross-origin')
}

/** RFC 9110 §13.2.2: a tag goes before a time. */
function holdsAlready({ headers }: FastifyRequest, found: StoredObject): boolean {
  const { 'if-none-match': tags, 'if-modified-since': time } = headers
  if (tags !== undefined) return isHeld(tags, found.etag)
  return time !== undefined && Date.parse(time) >= wholeSeconds(found.lastModifiedMs)
}

/** RFC 9110 §13.1.5: a range of something else than the caller has begun with is of no use to it. */
function rangeFor({ headers }: FastifyRequest, found: StoredObject): RangeResult {
  const condition = headers['if-range']
  const isSame =
    typeof condition !== 'string' ||
    condition === found.etag ||
    Date.parse(condition) === wholeSeconds(found.lastModifiedMs)
  return isSame ? readRange(headers.range, found.sizeBytes) : { kind: 'whole' }
}

/** All that a date of HTTP can tell. */
const wholeSeconds = (ms: number) => Math.floor(ms / 1_000) * 1_000

/**
 * Ends in an error unless all bytes have come.
 *
 * The length is told before they are read. A stream that ended early and in
 * good order would leave the connection open, and the next answer on it would
 * be taken for the rest; an error cuts it.
 */
function exactly(stream: Readable, lengthBytes: number, tell: (error: Error) => void): Readable {
  let left = lengthBytes
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      left -= chunk.length
      done(left < 0 ? new Error('The store gave more than it had said') : null, chunk)
    },
    flush(done) {
      done(left > 0 ? new Error(`The store kept back ${left} bytes`) : null)
    },
  })
  stream.on('error', (error) => counted.destroy(error))
  counted.once('error', tell)
  counted.once('close', () => stream.destroy())
  return stream.pipe(counted)
}
