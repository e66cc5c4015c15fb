import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { makeHome } from '../../../../tools/dev-stack/make-home.ts'
import { startPrivateNats } from '../../../../tools/dev-stack/private-nats.ts'
import { aCapturedLog } from '../http/testing/captured-log.ts'
import { openBus } from './bus.ts'
import { aLink } from './testing/a-link.ts'

test('what one process tells the others hear, also after they were cut off', async (t) => {
  const url = await aNats(t)
  const line = await aLink(url)
  t.after(() => line[Symbol.asyncDispose]())
  const [teller, listener] = [aBus(t, url), aBus(t, line.url)]
  const heard: string[] = []
  listener.subscribe('test.said', (text) => heard.push(text))
  await Promise.all([teller.opened, listener.opened])
  const say = (text: string) =>
    until(async () => {
      teller.publish('test.said', text)
      await Promise.all([teller.ping(), listener.ping()])
      return heard.includes(text)
    })

  await say('first')
  const isBack = listener.wait(20_000, new AbortController().signal)
  await line.refuse()
  await line.restore()
  await isBack
  await say('second')
})

test('a connection that came before anybody waited is not missed, and counts once', async (t) => {
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

test('a connection that is lost says so, and one after an outage is settled only when others are back too', async (t) => {
  const line = await aLink(await aNats(t))
  t.after(() => line[Symbol.asyncDispose]())
  const bus = aBus(t, line.url)
  await bus.opened
  assert.equal(bus.isSettled(), true, 'nobody else was cut off')
  const lost = bus.lost()

  await line.refuse()
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

test('of a queue group one hears what is told, and who has stopped hears nothing', async (t) => {
  const url = await aNats(t)
  const [teller, ...workers] = [aBus(t, url), aBus(t, url), aBus(t, url)] as const
  const heard: string[] = []
  const stops = workers.map((bus, at) =>
    bus.subscribe('test.asked', (text) => heard.push(`${at} ${text}`), 'all'),
  )
  await Promise.all([teller, ...workers].map((bus) => bus.opened.then(() => bus.ping())))
  const ask = async (text: string) => {
    teller.publish('test.asked', text)
    await until(async () => heard.some((it) => it.endsWith(text)))
    await Promise.all(workers.map((bus) => bus.ping()))
  }

  await ask('first')
  stops[0]!()
  await workers[0].ping()
  for (const text of ['2nd', '3rd', '4th', '5th', '6th']) await ask(text)

  assert.equal(heard.length, 6)
  assert.ok(heard.slice(1).every((it) => it.startsWith('1 ')))
})

test('a bus that is closed while it connects ends', async (t) => {
  const url = await aNats(t)

  await openBus(url, { name: 'test', logger: aCapturedLog().logger }).close()
})

test('waiting ends with its time, with its signal, and a process without NATS tells nobody', async (t) => {
  const bus = aBus(t, 'nats://127.0.0.1:1')
  const abort = new AbortController()
  const waiting = bus.wait(60_000, abort.signal)
  abort.abort()

  await waiting
  await bus.wait(1, new AbortController().signal)
  bus.publish('test.said', 'to nobody')
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
    assert.ok(performance.now() < lateMs, 'it did not come about')
    await setImmediate()
  }
}
