import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { aLink } from '@continuity/dev/a-link'
import { makeHome } from '@continuity/dev/make-home'
import { startPrivateNats } from '@continuity/dev/private-nats'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { openBus } from './bus.ts'

test('messages reach the subscribers of other processes, also after a reconnection', async (t) => {
  const url = await aNats(t)
  const line = await aLink(url)
  t.after(() => line[Symbol.asyncDispose]())
  const [publisher, listener] = [aBus(t, url), aBus(t, line.url)]
  const received: string[] = []
  listener.subscribe('test.sent', (text) => received.push(text))
  await Promise.all([publisher.opened, listener.opened])
  const send = (text: string) =>
    until(async () => {
      publisher.publish('test.sent', text)
      await Promise.all([publisher.ping(), listener.ping()])
      return received.includes(text)
    })

  await send('first')
  const isBack = listener.wait(20_000, new AbortController().signal)
  await line.goDown()
  await line.restore()
  await isBack
  await send('second')
})

test('a connection made before a wait ends the next wait, once', async (t) => {
  const bus = aBus(t, await aNats(t))
  await bus.opened
  await bus.ping()

  const startMs = performance.now()
  await bus.wait(20_000, new AbortController().signal)
  const tookMs = performance.now() - startMs
  const second = await Promise.race([
    bus.wait(20_000, t.signal).then(() => 'waited'),
    bus.ping().then(() => 'not over'),
  ])

  assert.ok(tookMs < 10_000, `${tookMs} ms`)
  assert.equal(second, 'not over')
})

test('a lost connection aborts its signal, and one after an outage is settled only after a delay for the others', async (t) => {
  const line = await aLink(await aNats(t))
  t.after(() => line[Symbol.asyncDispose]())
  const bus = aBus(t, line.url)
  await bus.opened
  assert.equal(bus.isSettled(), true, 'no outage before')
  const lost = bus.lost()

  await line.goDown()
  await until(async () => lost.aborted)
  assert.equal(bus.isSettled(), false)
  await line.restore()
  await until(async () => bus.connection() !== undefined)
  const backMs = performance.now()
  const isSettledAtOnce = bus.isSettled()
  await until(async () => bus.isSettled())

  assert.equal(isSettledAtOnce, false)
  assert.ok(performance.now() - backMs >= 1_500)
  assert.equal(bus.lost().aborted, false)
})

test('one subscriber of a queue group receives a message, and one that has stopped receives none', async (t) => {
  const url = await aNats(t)
  const [publisher, ...workers] = [aBus(t, url), aBus(t, url), aBus(t, url)] as const
  const received: string[] = []
  const stops = workers.map((bus, at) =>
    bus.subscribe('test.requested', (text) => received.push(`${at} ${text}`), 'all'),
  )
  await Promise.all([publisher, ...workers].map((bus) => bus.opened.then(() => bus.ping())))
  const send = async (text: string) => {
    publisher.publish('test.requested', text)
    await until(async () => received.some((it) => it.endsWith(text)))
    await Promise.all(workers.map((bus) => bus.ping()))
  }

  await send('first')
  stops[0]!()
  await workers[0].ping()
  for (const text of ['2nd', '3rd', '4th', '5th', '6th']) await send(text)

  assert.equal(received.length, 6)
  assert.ok(received.slice(1).every((it) => it.startsWith('1 ')))
})

test('a bus that is closed while it connects ends', async (t) => {
  const url = await aNats(t)

  await openBus(url, { name: 'test', logger: aCapturedLog().logger }).close()
})

test('a wait ends with its timeout or its signal, and publishing without NATS does nothing', async (t) => {
  const bus = aBus(t, 'nats://127.0.0.1:1')
  const abort = new AbortController()
  const waiting = bus.wait(60_000, abort.signal)
  abort.abort()

  await waiting
  await bus.wait(1, new AbortController().signal)
  bus.publish('test.sent', 'undelivered')
  assert.equal(bus.connection(), undefined)
  await assert.rejects(bus.ping(), /not connected/)
})

function aBus(t: TestContext, url: string) {
  const bus = openBus(url, { name: 'test', logger: aCapturedLog().logger })
  t.after(() => bus.close())
  return bus
}

async function aNats(t: TestContext): Promise<string> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-bus-'))
  await makeHome(home)
  const nats = await startPrivateNats({ home, searchPath: process.env['PATH'] ?? '', log: () => {} })
  t.after(async () => {
    await nats.stop()
    await rm(home, { recursive: true, force: true })
  })
  return nats.url
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  const lateMs = performance.now() + 20_000
  while (!(await isSo().catch(() => false))) {
    assert.ok(performance.now() < lateMs, 'condition not met within 20 s')
    await setImmediate()
  }
}
