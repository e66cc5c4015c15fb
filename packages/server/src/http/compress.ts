import { constants, gzip, zstdCompress } from 'node:zlib'
import type { FastifyInstance, FastifyReply } from 'fastify'

/** Below this the header and the work cost more than they save. */
const BYTES_MINIMUM = 1_024

const COMPRESSIBLE = /^(application\/(problem\+)?json|application\/x-ndjson|text\/(html|css|csv|plain))\b/

/** Level 1: the higher ones halve the throughput of a listing for a tenth of its size. */
const encoders = {
  zstd: (bytes: Buffer | string, done: Done) =>
    zstdCompress(bytes, { params: { [constants.ZSTD_c_compressionLevel]: 1 } }, done),
  gzip: (bytes: Buffer | string, done: Done) => gzip(bytes, { level: 1 }, done),
}

type Done = (error: Error | null, bytes: Buffer) => void
type Encoding = keyof typeof encoders

/** Compresses finished bodies for clients that take it. Streams are left as they are. */
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

/** Tells caches that the answer is another one for a client that takes other encodings. */
export function varyByEncoding(reply: FastifyReply): void {
  const vary = reply.getHeader('vary')
  reply.header('vary', vary === undefined ? 'Accept-Encoding' : `${String(vary)}, Accept-Encoding`)
}

export function chooseEncoding(accept: string | string[] | undefined): Encoding | undefined {
  if (typeof accept !== 'string') return undefined
  const refused = /;\s*q=0(\.0{0,3})?$/
  const taken = new Map<string, boolean>()
  for (const part of accept.toLowerCase().split(',')) {
    const name = part.split(';')[0]!.trim()
    taken.set(name, !refused.test(part.trim()))
  }
  return (['zstd', 'gzip'] as const).find((encoding) => taken.get(encoding) === true)
}
