import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { type TestContext, test } from 'node:test'
import { type AccountFeed, startAccountFeed } from './account-feed.ts'
import { isBehind, parseCursor, printCursor } from './cursor-text.ts'
import { filterEvents, type WantedEvents } from './event-filter-wire.ts'
import { type FollowerOptions, type Sink, startFollower } from './follower.ts'
import type { Event } from './read.ts'
import type { EventCursor } from './store.ts'
import { anEvent } from './testing/an-event.ts'

/** Events of one account as the database returns them, with a count of the reads. */
function aLog() {
  let epoch = 1
  let events: Event[] = []
  const log = {
    reads: 0,
    record(subjectId: string, kind = 'channel.changed') {
      const number = events.length + 1
      const event = { ...anEvent(subjectId), kind, subjectType: 'linear_channel', atMs: number }
      events = [...events, { ...event, eventId: `e${number}`, cursor: { epoch, horizon: number, number } }]
    },
    restore() {
      epoch += 1
      events = events.map((event) => ({ ...event, cursor: { ...event.cursor, epoch } }))
    },
    read: async (after: EventCursor | undefined, limit: number) => {
      log.reads += 1
      const from = after?.epoch === epoch ? after : { epoch, horizon: 0, number: 0 }
      return events.filter(({ cursor }) => isBehind(cursor, from)).slice(0, limit)
    },
    findHead: async () => events.at(-1)?.cursor ?? { epoch, horizon: 0, number: 0 },
  }
  return log
}

/** A client that can stop reading; collects what it has received. */
class Client extends EventEmitter implements Sink {
  text = ''
  waiting = ''
  isReading = true
  isEnded = false
  isDestroyed = false
  get writableNeedDrain() {
    return this.waiting !== ''
  }
  write(bytes: Buffer) {
    if (this.isReading) this.text += bytes.toString()
    else this.waiting += bytes.toString()
    return this.isReading
  }
  resume() {
    this.isReading = true
    this.text += this.waiting
    this.waiting = ''
    this.emit('drain')
  }
  end() {
    this.isEnded = true
  }
  destroy() {
    this.isDestroyed = true
  }
  subjects = () => [...this.text.matchAll(/"subject_id":"(\w+)"/g)].map(([, id]) => id)
  lastId = () => [...this.text.matchAll(/^id: (\S+)$/gm)].at(-1)?.[1]
}

const everything: WantedEvents = {
  kinds: undefined,
  subjectType: undefined,
  subjectId: undefined,
  roles: ['ROLE_ADMIN'],
}
function aFilter(over: Partial<WantedEvents> = {}) {
  const result = filterEvents({ ...everything, ...over })
  assert.ok(result.kind === 'filter')
  return result.filter
}

function aFeed(t: TestContext, log = aLog()) {
  const feed = startAccountFeed(log)
  t.after(() => feed.stop())
  return { log, feed }
}

function follow(
  t: TestContext,
  { log, feed }: { log: ReturnType<typeof aLog>; feed: AccountFeed },
  over: Partial<FollowerOptions> = {},
) {
  const client = new Client()
  const follower = startFollower({
    feed,
    read: log.read,
    filter: aFilter(),
    sink: client,
    from: 'now',
    isFollowing: true,
    onSent: () => {},
    ...over,
  })
  t.after(() => follower.end('client'))
  return { client, follower }
}

async function until(isSo: () => boolean): Promise<void> {
  const endMs = performance.now() + 20_000
  while (!isSo()) {
    assert.ok(performance.now() < endMs, 'timed out')
    await new Promise((resolve) => void setTimeout(resolve, 5))
  }
}

const names = (count: number) => Array.from({ length: count }, (_, index) => `s${index}`)

test('a stream from now starts with the current id, then carries later events', async (t) => {
  const log = aLog()
  log.record('before')
  const it = aFeed(t, log)
  const { client } = follow(t, it)
  await until(() => client.lastId() !== undefined)

  log.record('after')
  await until(() => client.subjects().length > 0)

  assert.deepEqual(client.subjects(), ['after'])
  assert.match(client.text, /^retry: 1000\n\nid: \S+\n\nid: \S+\nevent: channel.changed\ndata: \{/)
})

test('a follower that resumes receives every event once and in order, including those recorded meanwhile', async (t) => {
  const log = aLog()
  for (const name of names(450)) log.record(name)
  const it = aFeed(t, log)
  const { client } = follow(t, it, { from: 'oldest' })
  for (let at = 450; at < 900; at += 1) {
    log.record(`s${at}`)
    if (at % 90 === 0) await new Promise(setImmediate)
  }
  await until(() => client.subjects().length >= 900)
  const second = follow(t, it, { from: parseCursor(client.lastId()!)! })
  log.record('s900')
  await until(() => second.client.subjects().length > 0)

  assert.deepEqual(client.subjects().slice(0, 900), names(900))
  assert.deepEqual(second.client.subjects(), ['s900'])
})

test('events that the feed reads while a follower is catching up are not missed', async (t) => {
  const log = aLog()
  log.record('one')
  const it = aFeed(t, log)
  await until(() => it.feed.cursor()?.number === 1)
  let isFirst = true
  const { client } = follow(t, it, {
    from: 'oldest',
    async read(after, limit) {
      const events = await log.read(after, limit)
      if (!isFirst) return events
      isFirst = false
      log.record('two')
      await until(() => it.feed.cursor()?.number === 2)
      return events
    },
  })
  await until(() => client.subjects().length > 0)
  log.record('three')
  await until(() => client.subjects().includes('three'))

  assert.deepEqual(client.subjects(), ['one', 'two', 'three'])
})

test('a follower slightly behind is served from memory, without a query', async (t) => {
  const it = aFeed(t)
  const first = follow(t, it).client
  await until(() => first.lastId() !== undefined)
  for (const name of names(30)) {
    it.log.record(name)
    if (name === 's9') await until(() => first.subjects().length === 10)
  }
  await until(() => first.subjects().length === 30)
  const tenth = [...first.text.matchAll(/^id: (\S+)\nevent/gm)][14]![1]!
  let reads = 0

  const read = (after: EventCursor | undefined, limit: number) => {
    reads += 1
    return it.log.read(after, limit)
  }
  const second = follow(t, it, { from: parseCursor(tenth)!, read }).client
  await until(() => second.subjects().length === 15)

  assert.deepEqual(second.subjects(), names(30).slice(15))
  assert.equal(reads, 0)
})

test('followers that have caught up share one reader', async (t) => {
  const it = aFeed(t)
  const all = Array.from({ length: 200 }, () => follow(t, it).client)
  await until(() => all.every((client) => client.lastId() !== undefined))
  const before = it.log.reads

  for (const name of names(20)) it.log.record(name)
  await until(() => all.every((client) => client.subjects().length === 20))

  assert.ok(it.log.reads - before < 10, `${it.log.reads - before} reads`)
})

test('a client that stops reading is sent one batch, and the rest when it resumes', async (t) => {
  const it = aFeed(t)
  const { client } = follow(t, it)
  const other = follow(t, it).client
  await until(() => client.lastId() !== undefined && other.lastId() !== undefined)
  client.isReading = false
  for (const name of names(2_000)) {
    it.log.record(name)
    if (it.log.reads % 2 === 0) await new Promise(setImmediate)
  }
  await until(() => other.subjects().length === 2_000)
  const bufferedBytes = client.waiting.length

  client.resume()
  await until(() => client.subjects().length >= 2_000)

  assert.ok(
    bufferedBytes > 0 && bufferedBytes <= other.text.length / 2,
    `${bufferedBytes} of ${other.text.length} bytes`,
  )
  assert.deepEqual(client.subjects(), names(2_000))
})

test('a client that reads nothing for a minute is disconnected', async (t) => {
  const it = aFeed(t)
  const { client, follower } = follow(t, it)
  await until(() => client.lastId() !== undefined)
  client.isReading = false
  it.log.record('one')
  await until(() => client.waiting !== '')

  assert.equal(follower.tick(performance.now() + 50_000), 'alive')
  assert.equal(follower.tick(performance.now() + 61_000), 'stalled')
  follower.end('stalled')
  assert.ok(client.isDestroyed)
})

test('an idle stream carries a comment every 15 s, or the id of the last event that was filtered out', async (t) => {
  const it = aFeed(t)
  const { client, follower } = follow(t, it, { filter: aFilter({ kinds: 'alert.*' }) })
  await until(() => client.lastId() !== undefined)
  const first = client.lastId()

  follower.tick(performance.now() + 14_000)
  assert.doesNotMatch(client.text, /^:/m)
  follower.tick(performance.now() + 16_000)
  assert.match(client.text, /\n:\n\n$/)
  it.log.record('one')
  const head = await it.log.findHead()
  await until(() => it.feed.cursor()?.number === 1)
  follower.tick(performance.now() + 16_000)

  assert.notEqual(client.lastId(), first)
  assert.equal(client.lastId(), printCursor(head))
  assert.deepEqual(client.subjects(), [])
})

test('a stream with follow=false ends after the newest event', async (t) => {
  const log = aLog()
  for (const name of names(150)) log.record(name)
  const it = aFeed(t, log)
  const { client, follower } = follow(t, it, { from: 'oldest', isFollowing: false })

  assert.equal(await follower.ended, 'complete')
  assert.deepEqual(client.subjects(), names(150))
  assert.ok(client.isEnded)
})

test('after a restore of the database all stored events are sent again', async (t) => {
  const log = aLog()
  for (const name of names(3)) log.record(name)
  const it = aFeed(t, log)
  const { client } = follow(t, it, { from: 'oldest' })
  await until(() => client.subjects().length === 3)
  const late = parseCursor(client.lastId()!)!

  log.restore()
  await until(() => client.subjects().length === 6)
  const resumed = follow(t, it, { from: late }).client
  await until(() => resumed.subjects().length === 3)

  assert.deepEqual(client.subjects(), [...names(3), ...names(3)])
  assert.deepEqual(resumed.subjects(), names(3))
})

test('only the canonical text of a cursor is accepted', () => {
  const cursor = { epoch: 3, horizon: 123_456, number: 7 }
  const text = printCursor(cursor)

  assert.deepEqual(parseCursor(text), cursor)
  const wrong = ['1', 'x', `${text}=`, `${text}A`, text.slice(1), Buffer.from('1.2').toString('base64url')]
  for (const other of wrong) assert.equal(parseCursor(other), undefined, other)
})

test('a follower receives only the kinds that its roles may read', () => {
  const passes = (roles: readonly string[], kind: string, kinds?: string) =>
    aFilter({ roles, kinds }).passes({ kind, subjectType: 'user', subjectId: 'u' })

  assert.deepEqual(
    ['ROLE_ADMIN', 'SCHEDULE', 'ROLE_OPERATOR', 'ROLE_USER'].map((role) =>
      ['user.created', 'request.changed', 'item.changed', 'channel.changed', 'later.kind'].map((kind) =>
        passes([role], kind),
      ),
    ),
    [
      [true, true, true, true, true],
      [false, true, true, true, false],
      [false, false, false, true, false],
      [false, false, false, true, false],
    ],
  )
  assert.ok(passes(['ROLE_ADMIN'], 'user.created', 'channel.*,user.created'))
  assert.ok(!passes(['ROLE_ADMIN'], 'user.deleted', 'channel.*,user.created'))
  assert.ok(!passes(['ROLE_USER'], 'user.created', 'user.*'))
  assert.deepEqual(filterEvents({ ...everything, kinds: 'channel.*,chanel.*' }), {
    kind: 'unknown',
    name: 'chanel.*',
  })
})
