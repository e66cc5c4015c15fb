import { constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Below this the header and the work cost more than they save. */
const BYTES_MINIMUM = 1_024

const COMPRESSIBLE =
  /^(application\/(problem\+)?json|application\/x-ndjson|image\/svg\+xml|text\/(html|css|csv|javascript|plain))\b/

/** Level 1: the higher ones halve the throughput of a listing for a tenth of its size. */
const encoders = {
  zstd: (bytes: Buffer | string, done: Done) =>
    zstdCompress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }, done),
  gzip: (bytes: Buffer | string, done: Done) => gzip(bytes, { level: 1 }, done),
}

type Done = (error: Error | null, bytes: Buffer) => void
type Encoding = keyof typeof encoders

/** Compresses complete bodies for clients that accept it. Streams are not compressed. */
export function compressAnswers(server: FastifyInstance): void {
  server.addHook('onSend', (request, reply, payload, done) => {
    const isBytes = typeof payload === 'string' || Buffer.isBuffer(payload)
    if (
      !isBytes ||
      payload.length < BYTES_MINIMUM ||
      !COMPRESSIBLE.test(String(reply.getHeader('content-type')))
    ) {
      done(null, payload)
      return
    }
    varyByEncoding(reply)
    const encoding = chooseEncoding(request.headers['accept-encoding'])
    if (encoding === undefined || reply.hasHeader('content-encoding')) {
      done(null, payload)
      return
    }
    encoders[encoding](payload, (error, bytes) => {
      if (error !== null) {
        done(null, payload)
        return
      }
      reply.header('content-encoding', encoding)
      reply.removeHeader('content-length')
      done(null, bytes)
    })
  })
}

/** States to caches that the answer depends on Accept-Encoding. */
export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
}

/** The first of the offered encodings that a client accepts. */
export function chooseEncoding(
  accept: string | string[] | undefined,
  offered: readonly Encoding[] = ['zstd', 'gzip'],
): Encoding | undefined {
  if (typeof accept !== 'string') return undefined
  const excluded = /;\s*q=0(\.0{0,3})?$/
  const accepted = new Map<string, boolean>()
  for (const part of accept.toLowerCase().split(',')) {
    const name = part.split(';')[0]!.trim()
    accepted.set(name, !excluded.test(part.trim()))
  }
  return offered.find((encoding) => accepted.get(encoding) === true)
}
