import assert from 'node:assert/strict'
import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { HEARTBEAT_SECONDS, SUPERVISE_SECONDS } from './boss.ts'
import { aJobDatabase, aJobWorker, enqueueTest, platformJob } from './testing/a-job-worker.ts'

/** A proxy to the database that can be cut. */
async function aProxy(t: TestContext, databaseUrl: string) {
  const target = new URL(databaseUrl)
  const sockets = new Set<Socket>()
  let isCut = false
  const server = createServer((socket) => {
    if (isCut) return socket.destroy()
    const onward = connect(Number(target.port), target.hostname)
    for (const end of [socket, onward]) {
      sockets.add(end)
      end.on('error', () => {})
      end.on('close', () => {
        sockets.delete(end)
        socket.destroy()
        onward.destroy()
      })
    }
    socket.pipe(onward).pipe(socket)
    return undefined
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  return {
    url: Object.assign(new URL(databaseUrl), { port: `${port}` }).href,
    cut() {
      isCut = true
      for (const socket of sockets) socket.destroy()
    },
    mend() {
      isCut = false
    },
  }
}

test('a job survives a database outage, also when its worker is not the first to reconnect', async (t) => {
  const it = await aJobDatabase(t)
  const proxies = await Promise.all([aProxy(t, it.serviceUrl), aProxy(t, it.serviceUrl)])
  const started = Promise.withResolvers<number>()
  const resume = Promise.withResolvers<void>()
  const attempts: number[] = []
  const workers = proxies.map(({ url }, index) => {
    const ring = async ({ attempt }: { attempt: number }) => {
      attempts.push(attempt)
      started.resolve(index)
      await resume.promise
    }
    return aJobWorker(t, it, { ring }, { databaseUrl: url })
  })
  await Promise.all(workers.map(untilOpen))
  await it.database.platform
    .transaction()
    .execute((tx) => enqueueTest(tx, 'ring', { bell: 'a' }, platformJob))
  const [holder, other] = (await started.promise) === 0 ? proxies : proxies.toReversed()

  // Longer than the silence limit, longer than the other worker needs for its next supervision, and then as long as
  // a lost job would need to be fetched.
  for (const way of proxies) way.cut()
  await sleep((HEARTBEAT_SECONDS + 2) * 1_000)
  other!.mend()
  await sleep((SUPERVISE_SECONDS + 0.5) * 1_000)
  holder!.mend()
  await sleep(HEARTBEAT_SECONDS * 1_000)
  resume.resolve()
  const ended = await Promise.race(workers.map(({ log }) => log.find(({ msg }) => msg === 'job')))

  assert.equal(ended['outcome'], 'completed')
  assert.deepEqual(attempts, [1])
})

async function untilOpen({ ping }: { ping(): Promise<void> }): Promise<void> {
  const isClosed = () =>
    ping().then(
      () => false,
      () => true,
    )
  while (await isClosed()) await new Promise(setImmediate)
}
