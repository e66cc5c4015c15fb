import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dependency, serveHealth } from './health.ts'
import { aServer } from './testing/a-server.ts'

const answers = () => Promise.resolve()
const fails = () => Promise.reject(new Error('connection refused'))
const hangs = () => new Promise<void>(() => {})

function aDependency(over: Partial<Dependency> = {}): Dependency {
  return { name: 'postgresql', isRequired: true, ping: answers, ...over }
}

test('a process is alive without its dependencies, and does not check them', async (t) => {
  const { server, metrics } = aServer(t)
  let pings = 0
  const ping = () => {
    pings += 1
    return fails()
  }
  serveHealth(server, [aDependency({ ping })], metrics)

  const answer = await server.inject({ url: '/livez' })

  assert.equal(answer.statusCode, 200)
  assert.deepEqual(answer.json(), { status: 'ok' })
  assert.equal(pings, 0)
})

test('a process is ready when all required dependencies answer', async (t) => {
  const { server, metrics } = aServer(t)
  const health = serveHealth(
    server,
    [aDependency(), aDependency({ name: 'nats', isRequired: false })],
    metrics,
  )

  const answer = await server.inject({ url: '/readyz' })

  assert.equal(answer.statusCode, 200)
  const { status, checks } = answer.json()
  assert.equal(status, 'ready')
  assert.equal(checks.postgresql.ok, true)
  assert.equal(checks.nats.required, false)
  assert.equal(await health.isReady(), true)
})

test('/readyz contains the figures of a process, ready or not', async (t) => {
  const { server, metrics } = aServer(t)
  serveHealth(server, [aDependency({ ping: fails })], metrics, () => ({ channels: 3, horizon_ms: null }))

  const answer = await server.inject({ url: '/readyz' })

  assert.equal(answer.statusCode, 503)
  assert.deepEqual(answer.json().figures, { channels: 3, horizon_ms: null })
})

test('a process without a required dependency is not ready, and names it', async (t) => {
  const { server, metrics } = aServer(t)
  const health = serveHealth(server, [aDependency({ ping: fails }), aDependency({ name: 'disk' })], metrics)

  const answer = await server.inject({ url: '/readyz' })

  assert.equal(answer.statusCode, 503)
  const { status, checks } = answer.json()
  assert.equal(status, 'not_ready')
  assert.equal(checks.postgresql.ok, false)
  assert.equal(checks.postgresql.error, 'connection refused')
  assert.equal(checks.disk.ok, true)
  assert.equal(await health.isReady(), false)
})

test('a process without an optional dependency is ready', async (t) => {
  const { server, metrics } = aServer(t)
  serveHealth(server, [aDependency(), aDependency({ name: 'nats', isRequired: false, ping: fails })], metrics)

  const answer = await server.inject({ url: '/readyz' })

  assert.equal(answer.statusCode, 200)
  assert.equal(answer.json().checks.nats.ok, false)
})

test('a draining process is alive and not ready', async (t) => {
  const { server, metrics } = aServer(t)
  const health = serveHealth(server, [aDependency()], metrics)

  health.drain()

  const answer = await server.inject({ url: '/readyz' })
  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().status, 'draining')
  assert.equal(health.isDraining(), true)
  assert.equal(await health.isReady(), false)
  assert.equal((await server.inject({ url: '/livez' })).statusCode, 200)
})

test('concurrent probes share one check', async (t) => {
  const { server, metrics } = aServer(t)
  let pings = 0
  const release = Promise.withResolvers<void>()
  const ping = () => {
    pings += 1
    return release.promise
  }
  serveHealth(server, [aDependency({ ping })], metrics)
  await server.ready()

  const probes = Array.from({ length: 20 }, () => server.inject({ url: '/readyz' }))
  release.resolve()
  const statuses = (await Promise.all(probes)).map(({ statusCode }) => statusCode)

  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.equal(pings, 1)
})

test('a dependency that never answers times out', async (t) => {
  const { server, metrics } = aServer(t)
  serveHealth(server, [aDependency({ ping: hangs })], metrics)
  await server.ready()
  t.mock.timers.enable({ apis: ['setTimeout'] })

  const probe = server.inject({ url: '/readyz' })
  // The probe is in progress once its request has passed the hooks.
  await new Promise(setImmediate)
  await new Promise(setImmediate)
  t.mock.timers.tick(3_000)
  const answer = await probe

  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().checks.postgresql.error, 'no answer within 3000 ms')
})

test('a dependency that throws is unavailable', async (t) => {
  const { server, metrics } = aServer(t)
  const ping = () => {
    throw new Error('not connected')
  }
  serveHealth(server, [aDependency({ ping })], metrics)

  const answer = await server.inject({ url: '/readyz' })

  assert.equal(answer.statusCode, 503)
  assert.equal(answer.json().checks.postgresql.error, 'not connected')
})
