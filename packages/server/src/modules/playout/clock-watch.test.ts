import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Beat } from '../../platform/feed/feed-follower.ts'
import { type ClockComparison, createClockWatch } from './clock-watch.ts'

const START_MS = 1_800_000_000_000

/** A heartbeat that reaches the node at `atMs`, of a worker and a broker that are so far ahead of the node. */
interface Sent {
  readonly worker?: string
  readonly atMs?: number
  readonly aheadMs?: number
  readonly brokerAheadMs?: number
  readonly isFresh?: boolean
}

/** What a node makes of heartbeats, one after the other. */
function compare(sent: readonly Sent[], lookMs = 5_000): ClockComparison {
  let systemMs = START_MS
  const watch = createClockWatch(() => systemMs)
  for (const { worker, atMs = 0, aheadMs = 0, brokerAheadMs = 0, isFresh = true } of sent) {
    systemMs = START_MS + atMs
    const beat: Beat = {
      worker,
      nowMs: systemMs + aheadMs,
      storedMs: systemMs + brokerAheadMs,
      heardMs: systemMs,
      isFresh,
    }
    watch.heard(beat)
  }
  return watch.look(START_MS + lookMs)
}

/** Heartbeats of workers with these offsets, and of a broker. */
const fleet = (offsets: readonly number[], brokerAheadMs = 0): readonly Sent[] =>
  offsets.map((aheadMs, at) => ({ worker: `worker-${at}`, aheadMs, brokerAheadMs }))

test('a node is wrong where the broker and the majority of the workers disagree with it', () => {
  const table: readonly [readonly number[], number, boolean][] = [
    [[0, 0, 0], 0, false],
    // One of three, and half of them, are no majority.
    [[400, 0, 0], 400, false],
    [[400, 400, 0, 0], 400, false],
    [[400, 400, 0], 400, true],
    [[-400, -400, 0], -400, true],
    [[400], 400, true],
    // The broker agrees with the node, so the workers are the ones that are wrong.
    [[400], 0, false],
    [[3_600_000, 3_600_000, 3_600_000], 20, false],
    // The workers agree with the node, so the broker is wrong.
    [[0, 0, 0], 3_600_000, false],
    // The bound itself is allowed.
    [[250], 250, false],
    [[251], 251, true],
    [[-251], -251, true],
  ]
  for (const [offsets, brokerAheadMs, isWrong] of table) {
    const seen = compare(fleet(offsets, brokerAheadMs))
    assert.equal(seen.isWrong, isWrong, `${offsets.join()} broker ${brokerAheadMs}`)
    assert.equal(seen.workers, offsets.length)
    assert.equal(seen.workersDisagreeing, offsets.filter((ms) => Math.abs(ms) > 250).length)
    assert.equal(seen.brokerOffsetMs, brokerAheadMs)
  }
})

test('a worker counts once, however many heartbeats it sends', () => {
  const loud = Array.from({ length: 9 }, (_, at) => ({ worker: 'loud', atMs: at * 500, aheadMs: 400 }))
  const seen = compare([...fleet([0, 0], 400), ...loud.map((it) => ({ ...it, brokerAheadMs: 400 }))])

  assert.equal(seen.workers, 3)
  assert.equal(seen.workersDisagreeing, 1)
  assert.equal(seen.isWrong, false)
})

test('heartbeats without an id, of the release before, count as one worker', () => {
  const seen = compare([{ aheadMs: 400 }, { aheadMs: 410, atMs: 100 }, ...fleet([0, 0], 400)])

  assert.equal(seen.workers, 3)
  assert.equal(seen.workersDisagreeing, 1)
})

test('a heartbeat that was stored before, was replayed, or is old is not compared', () => {
  const kept = compare([{ worker: 'a', aheadMs: -90_000, brokerAheadMs: -90_000, isFresh: false }])
  const replayed = compare([
    { worker: 'a', atMs: 0 },
    { worker: 'a', atMs: 3_000, aheadMs: -3_000 },
    { worker: 'a', atMs: 4_000, aheadMs: -4_000 },
  ])
  const old = compare(fleet([400], 400), 10_001)

  assert.deepEqual([kept.workers, kept.offsetMs, kept.brokerOffsetMs], [0, undefined, undefined])
  assert.deepEqual([replayed.workers, replayed.offsetMs], [1, 0])
  assert.deepEqual([old.workers, old.offsetMs, old.isWrong], [0, undefined, false])
})

test('a worker whose clock was set back is compared again after ten seconds', () => {
  const seen = compare(
    [
      { worker: 'a', atMs: 0, aheadMs: 3_600_000 },
      { worker: 'a', atMs: 5_000 },
      { worker: 'a', atMs: 10_001 },
    ],
    11_000,
  )

  assert.deepEqual([seen.workers, seen.offsetMs], [1, 0])
})

test('a feed that delivers late for some seconds is no wrong clock', () => {
  const late = [-300, -900, -1_500, -1_400, -800, -600, -2].map((aheadMs, second) => ({
    worker: 'a',
    atMs: second * 1_000,
    aheadMs,
    brokerAheadMs: aheadMs,
  }))

  const seen = compare(late)

  assert.deepEqual([seen.offsetMs, seen.isWrong], [-2, false])
})

test('heartbeats that came late do not move the offset of their worker', () => {
  const seen = compare([
    { worker: 'a', atMs: 0, aheadMs: -4 },
    { worker: 'a', atMs: 2_000, aheadMs: -700 },
    { worker: 'a', atMs: 3_000, aheadMs: -3 },
  ])

  assert.equal(seen.offsetMs, -3)
})

test('of any number of worker ids, the thousand that were received last are kept', () => {
  const flood = Array.from({ length: 5_000 }, (_, at) => ({ worker: `forged-${at}`, aheadMs: 3_600_000 }))
  const seen = compare([...fleet([0]), ...flood])
  const after = compare([...flood, ...fleet([0])])

  assert.equal(seen.workers, 1_000)
  assert.equal(seen.workersDisagreeing, 1_000)
  assert.equal(after.workersDisagreeing, 999)
  assert.equal(after.isWrong, false)
})
