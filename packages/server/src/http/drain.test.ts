import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { type TestContext, test } from 'node:test'
import { closeConnectionsWhen, drain } from './drain.ts'
import { serveHealth } from './health.ts'
import { anEndpoint, aServer, listen, put } from './testing/a-server.ts'
import { aRequest, exchange, openSocket } from './testing/wire.ts'

const url = '/api/2.3/try'
const keptRequest = aRequest(`GET ${url}`, { connection: 'keep-alive' })

function aDrainingServer(t: TestContext) {
  const { server, log, metrics } = aServer(t)
  const health = serveHealth(server, [], metrics)
  closeConnectionsWhen(server, health.isDraining)
  return { server, log, health }
}

test('open requests are answered with Connection: close, and then no connection is open', async (t) => {
  const { server, health, log } = aDrainingServer(t)
  const called = Promise.withResolvers<void>()
  const finished = Promise.withResolvers<void>()
  put(server, anEndpoint({}), () => {
    called.resolve()
    return finished.promise as Promise<undefined>
  })
  const port = await listen(server)

  const answered = exchange(port, keptRequest)
  await called.promise
  const drained = drain(server, health, { graceMs: 0, lastMs: 60_000 }, log.logger)
  await untilClosed(port)
  finished.resolve()

  const answer = await answered
  await drained
  assert.equal(answer.statusCode, 200)
  assert.equal(answer.headers['connection'], 'close')
  assert.deepEqual(
    log.lines().filter(({ level }) => level === 'warn'),
    [],
  )
})

test('a connection that outlasts the drain is closed, and that is logged', async (t) => {
  const { server, health, log } = aDrainingServer(t)
  put(server, anEndpoint({}), () => undefined)
  const port = await listen(server)
  const kept = await openSocket(port, keptRequest)
  await once(kept, 'data')
  const cut = once(kept, 'close')

  await drain(server, health, { graceMs: 0, lastMs: 1 }, log.logger)

  await cut
  assert.ok(log.lines().some(({ msg }) => msg === 'drain timed out; closing open connections'))
})

/** Resolves when no server listens at the port any more. */
async function untilClosed(port: number): Promise<void> {
  for (;;) {
    const socket = connect({ port, host: '127.0.0.1' })
    const isAccepted = await new Promise<boolean>((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.destroy()
    if (!isAccepted) return
  }
}
