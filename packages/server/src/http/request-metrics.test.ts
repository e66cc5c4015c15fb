import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operations } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { serveHealth } from './health.ts'
import { rejectOtherMethods } from './methods.ts'
import { aRecorder, aServer, listen, put, type TestServer } from './testing/a-server.ts'
import { credentialHeaders } from './testing/credentials.ts'
import { aRequest, exchange } from './testing/wire.ts'

const { getSeries } = operations

async function serve({ server, metrics }: TestServer): Promise<number> {
  put(server, getSeries, aRecorder(getSeries).handler)
  rejectOtherMethods(server, [getSeries])
  serveHealth(server, [], metrics)
  return listen(server)
}

/** Sends one request after another, and waits until each is counted. */
async function sendAll({ log }: TestServer, port: number, lines: readonly string[]): Promise<void> {
  for (const [i, line] of lines.entries()) {
    const id = `metrics-${i}`
    await exchange(port, aRequest(line, { ...credentialHeaders(), 'x-request-id': id }))
    await log.find((written) => written['request_id'] === id)
  }
}

test('requests are counted by route, method and status, whatever id is in their path', async (t) => {
  const test = aServer(t)
  const port = await serve(test)

  await sendAll(test, port, ['GET /api/2.1/series/a', 'GET /api/2.1/series/b?x=1', 'HEAD /api/2.1/series/c'])

  const { body, headers } = await exchange(port, aRequest('GET /metrics'))
  assert.equal(headers['content-type'], 'text/plain; version=0.0.4; charset=utf-8')
  const route = 'route="/api/2.1/series/:series_id"'
  assert.deepEqual(seriesOf(body, 'http_requests_total'), [
    `{${route},method="GET",status="200"} 2`,
    `{${route},method="HEAD",status="200"} 1`,
  ])
  assert.match(body, /^http_request_duration_seconds_bucket\{route="[^"]+",method="GET",le="\+Inf"\} 2$/m)
  assert.match(body, /^http_request_duration_seconds_count\{route="[^"]+",method="GET"\} 2$/m)
  // The request for the metrics itself is in flight.
  assert.match(body, /^http_requests_in_flight 1$/m)
})

test('unknown addresses are counted as one route, so that a scanner cannot fill the memory', async (t) => {
  const test = aServer(t)
  const port = await serve(test)

  await sendAll(test, port, [
    ...Array.from({ length: 20 }, (_, i) => `GET /wp-admin/${i}`),
    'GET /api/9.9/videos',
    'GET /%zz',
    'PROPFIND /nothing',
    'MKCOL /nothing',
    'PURGE /nothing',
  ])

  const series = seriesOf(test.metrics.print(), 'http_requests_total')
  assert.deepEqual(series, [
    '{route="none",method="any",status="404"} 24',
    '{route="none",method="any",status="400"} 1',
  ])
})

test('a method that is not allowed is counted as any', async (t) => {
  const test = aServer(t)
  const port = await serve(test)

  await sendAll(test, port, ['PUT /api/2.1/series/a', 'PATCH /api/2.1/series/a', 'DELETE /api/2.1/series/a'])

  const series = seriesOf(test.metrics.print(), 'http_requests_total')
  assert.deepEqual(series, ['{route="/api/2.1/series/:id",method="any",status="405"} 3'])
  assert.match(test.metrics.print(), /^http_request_duration_seconds_count\{route="[^"]+",method="any"\} 3$/m)
})

test('every line of the metrics is well-formed', async (t) => {
  const { server, metrics } = aServer(t)
  serveHealth(server, [], metrics)
  await server.inject({ url: '/nothing' })

  for (const line of (await readMetrics(server)).trimEnd().split('\n')) {
    assert.match(line, /^(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{([a-z]+="[^"]*",?)+\})? -?[0-9.e+-]+)$/)
  }
})

const readMetrics = async (server: FastifyInstance) => (await server.inject({ url: '/metrics' })).body

function seriesOf(text: string, name: string): string[] {
  const lines = text.split('\n').filter((line) => line.startsWith(`${name}{`))
  return lines.map((line) => line.slice(name.length))
}
