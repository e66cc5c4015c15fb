import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Heartbeat } from '../../platform/feed/feed-follower.ts'
import { type ClockComparison, createClockWatch } from './clock-watch.ts'

const START_MS = 1_800_000_000_000

/** A heartbeat received at `atMs`, from a worker and a broker whose clocks are this far ahead of the node. */
interface Sent {
  readonly worker?: string
  readonly atMs?: number
  readonly aheadMs?: number
  readonly brokerAheadMs?: number
  readonly isFresh?: boolean
}

/** The comparison after receiving these heartbeats. */
function compare(sent: readonly Sent[], atEndMs = 5_000): ClockComparison {
  let systemMs = START_MS
  const watch = createClockWatch(() => systemMs)
  for (const { worker, atMs = 0, aheadMs = 0, brokerAheadMs = 0, isFresh = true } of sent) {
    systemMs = START_MS + atMs
    const heartbeat: Heartbeat = {
      worker,
      nowMs: systemMs + aheadMs,
      storedMs: systemMs + brokerAheadMs,
      receivedMs: systemMs,
      isFresh,
    }
    watch.receive(heartbeat)
  }
  return watch.look(START_MS + atEndMs)
}

/** Heartbeats of workers with these offsets, stored by a broker with its offset. */
const fleet = (offsets: readonly number[], brokerAheadMs = 0): readonly Sent[] =>
  offsets.map((aheadMs, at) => ({ worker: `worker-${at}`, aheadMs, brokerAheadMs }))

test('a node is wrong if the broker and the majority of the workers disagree with it', () => {
  const table: readonly [readonly number[], number, boolean][] = [
    [[0, 0, 0], 0, false],
    // One of three, or half of them, is not a majority.
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

test('each worker counts once, however many heartbeats it sends', () => {
  const loud = Array.from({ length: 9 }, (_, at) => ({ worker: 'loud', atMs: at * 500, aheadMs: 400 }))
  const seen = compare([...fleet([0, 0], 400), ...loud.map((it) => ({ ...it, brokerAheadMs: 400 }))])

  assert.equal(seen.workers, 3)
  assert.equal(seen.workersDisagreeing, 1)
  assert.equal(seen.isWrong, false)
})

test('heartbeats without an id, from an older release, count as one worker', () => {
  const seen = compare([{ aheadMs: 400 }, { aheadMs: 410, atMs: 100 }, ...fleet([0, 0], 400)])

  assert.equal(seen.workers, 3)
  assert.equal(seen.workersDisagreeing, 1)
})

test('stored, replayed and old heartbeats are ignored', () => {
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

test('a feed that is delayed for some seconds does not count as a wrong clock', () => {
  const late = [-300, -900, -1_500, -1_400, -800, -600, -2].map((aheadMs, second) => ({
    worker: 'a',
    atMs: second * 1_000,
    aheadMs,
    brokerAheadMs: aheadMs,
  }))

  const seen = compare(late)

  assert.deepEqual([seen.offsetMs, seen.isWrong], [-2, false])
})

test('delayed heartbeats do not change the offset of their worker', () => {
  const seen = compare([
    { worker: 'a', atMs: 0, aheadMs: -4 },
    { worker: 'a', atMs: 2_000, aheadMs: -700 },
    { worker: 'a', atMs: 3_000, aheadMs: -3 },
  ])

  assert.equal(seen.offsetMs, -3)
})

test('the thousand most recent worker ids are kept', () => {
  const flood = Array.from({ length: 5_000 }, (_, at) => ({ worker: `forged-${at}`, aheadMs: 3_600_000 }))
  const seen = compare([...fleet([0]), ...flood])
  const after = compare([...flood, ...fleet([0])])

  assert.equal(seen.workers, 1_000)
  assert.equal(seen.workersDisagreeing, 1_000)
  assert.equal(after.workersDisagreeing, 999)
  assert.equal(after.isWrong, false)
})
