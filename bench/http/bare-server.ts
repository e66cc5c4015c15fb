import { fastify } from 'fastify'
import { answer, path } from './answer.ts'

/** The bare engine. */
const server = fastify({ logger: false })
server.get(path, async () => answer)
process.send?.({ url: await server.listen({ host: '127.0.0.1', port: 0 }) })
