import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FeedMessage } from '@continuity/core/feed/feed-message'
import { ORIGIN_MS } from '@continuity/core/schedule/testing/a-schedule'
import { addPacked, emptyPacked, packRun } from '@continuity/core/timeline/codec/packed'
import { anyHistory, playHistory } from '@continuity/core/timeline/testing/a-history'
import { aRun, loops, plays } from '@continuity/core/timeline/testing/a-run'
import fc from 'fast-check'
import { createChannelStore } from './channel-store.ts'
import { aChannel, aFeed, anId, CHANNEL_ID } from './testing/a-feed.ts'

function aStore(nowMs = ORIGIN_MS) {
  const calls = { gaps: 0, changes: 0, lateCuts: 0 }
  const clock = { nowMs }
  const store = createChannelStore({
    clock: () => clock.nowMs,
    onGap: () => (calls.gaps += 1),
    onChange: () => (calls.changes += 1),
    onLateCut: () => (calls.lateCuts += 1),
  })
  const apply = (...messages: readonly FeedMessage[]) =>
    messages.map((message) => store.apply(anId(), message))
  return { store, clock, calls, apply }
}

const aDay = aRun({ startSeconds: -32, shownFromSeconds: 0 }, loops('lead', 20), plays('film', 100))

/** `count` deltas, each of which replaces the rest of the timeline of the one before. */
const changes = (count: number) =>
  aFeed([
    aDay,
    ...Array.from({ length: count }, (_, at) =>
      aRun(
        { number: at + 2, sequence: 40 + at, startSeconds: 32 + at * 3.2, discontinuity: at },
        loops('x', 50),
      ),
    ),
  ])

test('updates received twice and in any order lead to the same state', () => {
  const order = fc.array(fc.nat(1_000), { minLength: 40, maxLength: 40 })
  fc.assert(
    fc.property(anyHistory, order, (steps, keys) => {
      const feed = aFeed(playHistory(steps).map(({ run }) => run))
      const shuffled = [...feed, ...feed]
        .map((message, at) => ({ message, key: keys[at % keys.length]! }))
        .toSorted((one, other) => one.key - other.key)
        .map(({ message }) => message)
      const [one, other] = [aStore(), aStore()]

      one.apply(...feed)
      other.apply(...shuffled)

      assert.deepEqual(other.store.find(CHANNEL_ID), one.store.find(CHANNEL_ID))
      assert.equal(other.store.waiting(), 0)
      assert.equal(other.store.sizeBytes(), one.store.sizeBytes())
    }),
    { numRuns: 100 },
  )
})

test('a missing update is requested after two seconds, and then every five', () => {
  const { store, clock, calls, apply } = aStore()
  const feed = changes(3)
  apply(feed[0]!, feed[2]!)

  const requested = [0, 1_999, 2_000, 2_500, 6_999, 7_000, 11_999, 12_000].map((ms) => {
    clock.nowMs = ORIGIN_MS + ms
    store.requestMissing()
    return calls.gaps
  })
  apply(feed[1]!)
  clock.nowMs += 60_000
  store.requestMissing()

  assert.deepEqual(requested, [0, 0, 1, 1, 1, 2, 2, 3])
  assert.equal(calls.gaps, 3)
  assert.equal(store.find(CHANNEL_ID)?.version, 3)
})

test('more updates than are kept are replaced by a snapshot', () => {
  const { store, clock, calls, apply } = aStore()
  const feed = changes(30)
  apply(...feed.slice(0, 2), ...feed.slice(3))
  assert.equal(apply(feed[2]!)[0], 'applied')
  const { version } = store.find(CHANNEL_ID)!

  clock.nowMs += 2_000
  store.requestMissing()
  const { timeline } = store.find(CHANNEL_ID)!
  apply({ kind: 'whole', epoch: 1, version: 32, channel: aChannel(), timeline })

  assert.equal(version, 3 + 16)
  assert.equal(calls.gaps, 1)
  assert.equal(store.waiting(), 0)
})

test('a delta of an unknown channel requests a snapshot too', () => {
  const { store, clock, calls, apply } = aStore()

  assert.deepEqual(apply(changes(1)[1]!), ['kept'])
  clock.nowMs += 2_000
  store.requestMissing()

  assert.equal(calls.gaps, 1)
  assert.equal(store.count(), 0)
})

test('runs further back than any viewer can be are dropped', () => {
  const { store, clock, apply } = aStore()
  const feed = changes(5)
  apply(...feed.slice(0, -1))
  const before = store.find(CHANNEL_ID)!.timeline.runs.length

  clock.nowMs += 26 * 3_600_000
  apply(feed.at(-1)!)

  assert.equal(before, 5)
  assert.equal(store.find(CHANNEL_ID)!.timeline.runs.length, 1)
})

test('a cut is late only if it changes listed segments', () => {
  const cut = aRun({ number: 2, sequence: 40, startSeconds: 64, discontinuity: 1 }, loops('rescue', 50))
  const [snapshot, day, change] = aFeed([aDay, cut])
  const lateAt = (seconds: number) => {
    const { clock, calls, apply } = aStore()
    apply(snapshot!, day!)
    clock.nowMs = ORIGIN_MS + seconds * 1_000
    apply(change!, change!)
    return calls.lateCuts
  }

  // The segment that is replaced is listed at second 67.2.
  assert.deepEqual([60, 65, 67.1, 67.2, 100].map(lateAt), [0, 0, 0, 1, 1])
})

test('a restart of a channel is not a late cut', () => {
  const stop = aRun({ number: 2, sequence: 40, startSeconds: 64, isEnd: true })
  const start = aRun(
    { number: 3, sequence: 40, startSeconds: 96, shownFromSeconds: 128 },
    loops('lead', 20),
    plays('film', 100),
  )
  const { clock, calls, apply } = aStore()
  const feed = aFeed([aDay, stop, start])
  apply(...feed.slice(0, 3))

  clock.nowMs = ORIGIN_MS + 126_000
  apply(feed[3]!)

  assert.equal(calls.lateCuts, 0)
  assert.equal(calls.changes, 4)
})

test('when the feed is complete in a higher epoch, channels missing from it are removed permanently', () => {
  const { store, apply } = aStore()
  apply(...changes(2))
  const { epoch, version } = store.find(CHANNEL_ID)!
  const none = store.listObsolete(epoch)

  const obsolete = store.listObsolete(epoch + 1)
  apply(...obsolete)
  const [before] = apply({
    kind: 'change',
    epoch,
    version: version + 1,
    channel: null,
    runs: [],
    settled: [],
  })
  const gone = store.find(CHANNEL_ID)
  const [later] = apply({ ...aSnapshot, epoch: epoch + 1 })

  assert.deepEqual([none.length, obsolete.length, before, gone], [0, 1, 'known', undefined])
  assert.deepEqual([later, store.find(CHANNEL_ID)?.version], ['applied', 1])
})

test('deltas of a restored feed wait for its snapshot, and those of the feed before it are dropped', () => {
  const { store, apply, calls, clock } = aStore()
  const aDelta = (epoch: number, version: number): FeedMessage => ({
    kind: 'change',
    epoch,
    version,
    channel: aChannel({ title: `${epoch}.${version}` }),
    runs: [],
    settled: [],
  })
  apply(aSnapshot, aDelta(1, 90), aDelta(2, 6))

  apply({ ...aSnapshot, epoch: 2, version: 5 })
  clock.nowMs += 60_000
  store.requestMissing()

  assert.equal(store.find(CHANNEL_ID)!.channel.title, '2.6')
  assert.deepEqual([store.waiting(), calls.gaps], [0, 0])
})

const aSnapshot: FeedMessage = {
  kind: 'whole',
  epoch: 1,
  version: 1,
  channel: aChannel(),
  timeline: emptyPacked,
}

test('a start is not a late cut, even for a node that missed the stop before it', () => {
  const start = aRun(
    { number: 3, sequence: 40, startSeconds: 96, shownFromSeconds: 128 },
    loops('lead', 20),
    plays('film', 100),
  )
  const stop = aRun({ number: 2, sequence: 40, startSeconds: 64, isEnd: true })
  const [snapshot, day] = aFeed([aDay])
  const after = [aDay, stop, start].map(packRun).reduce(addPacked, emptyPacked)
  const { store, clock, calls, apply } = aStore()
  apply(snapshot!, day!)

  // By then the node has listed segments of the day with the sequence numbers of the new start.
  clock.nowMs = ORIGIN_MS + 130_000
  apply({ kind: 'whole', epoch: 1, version: 9, channel: aChannel(), timeline: after })

  assert.equal(store.find(CHANNEL_ID)?.version, 9)
  assert.equal(calls.lateCuts, 0)
})

test('of a removed channel only the version is kept', () => {
  const { store, apply } = aStore()
  const timeline = [aDay].map(packRun).reduce(addPacked, emptyPacked)
  apply({ kind: 'whole', epoch: 1, version: 1, channel: aChannel(), timeline })
  const before = store.sizeBytes()

  apply({ kind: 'whole', epoch: 1, version: 2, channel: aChannel({ outputs: [] }), timeline })

  const [gone] = [...store.states()]
  assert.deepEqual([gone?.version, gone?.timeline.runs], [2, []])
  assert.ok(store.sizeBytes() < before, `${store.sizeBytes()}`)
  assert.equal(store.count(), 0)
})
