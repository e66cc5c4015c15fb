import { parentPort } from 'node:worker_threads'
import { constants, gzipSync, zstdCompressSync } from 'node:zlib'
import scalar from '@scalar/fastify-api-reference'
import Fastify from 'fastify'

/**
 * Reads and compresses Scalar's script, in a thread that ends with it: a request would wait for half a second, and the
 * package would stay in memory. The package has the script inside its plugin, so it is requested from the plugin.
 */
const server = Fastify()
await server.register(scalar, { routePrefix: '/docs', configuration: { url: '/' } })
const { rawPayload, statusCode } = await server.inject('/docs/js/scalar.js')
if (statusCode !== 200) throw new Error(`Scalar's plugin returned ${statusCode} for its script`)

const zstdParams = { [constants.ZSTD_c_compressionLevel]: 9 }
parentPort!.postMessage({
  identity: rawPayload,
  gzip: gzipSync(rawPayload),
  zstd: zstdCompressSync(rawPayload, { params: zstdParams }),
})
