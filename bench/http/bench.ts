import { join } from 'node:path'
import type { Bench } from '../bench.ts'
import { compareServers } from '../engine/compare.ts'
import { path } from './answer.ts'

const scripts = {
  bare: join(import.meta.dirname, 'bare-server.ts'),
  ours: join(import.meta.dirname, 'our-server.ts'),
}

export const http: Bench = {
  name: 'http',
  title: 'A request through the whole stack against bare Fastify',
  question:
    'Requests per second of processor time of the server: routing, request ids, log, limits, metrics, headers, ' +
    'validation of the query and the deadline of an asynchronous handler; no credential and no database. Against bare ' +
    'Fastify that answers the same bytes. Rounds are interleaved, figures are medians, the load runs on another core.',
  async run(context) {
    return {
      figures: await compareServers(scripts, { path }, context),
      targets: { ratio: { atLeast: 0.7 } },
    }
  },
}
