import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSupervision, type WorkerState } from './supervision.ts'

/** Turns of a worker every two seconds, with a database whose server was started at some time, or is gone. */
function aSupervision() {
  let nowMs = 0
  const it = { state: 'open' as WorkerState, startedMs: -1_000_000, isGone: false, looks: [] as number[] }
  const answer = async () => {
    if (it.isGone) throw new Error('gone')
    return { rows: [{ ms: `${nowMs - it.startedMs}` }] }
  }
  const boss = {
    getDb: () => ({ executeSql: answer }),
    supervise: async () => {
      it.looks.push(nowMs)
    },
  }
  const turn = createSupervision({
    boss,
    state: () => it.state,
    tell: () => {},
    now: () => nowMs,
  })
  const runUntil = async (ms: number) => {
    while (nowMs < ms) {
      nowMs += 2_000
      await turn()
    }
  }
  const standStill = (ms: number) => {
    nowMs += ms
  }
  return Object.assign(it, { runUntil, standStill })
}

test('a worker that has just started looks with its first turn', async () => {
  const it = aSupervision()

  await it.runUntil(2_000)

  assert.deepEqual(it.looks, [2_000])
})

test('after an outage a worker waits until all can have been heard', async () => {
  const it = aSupervision()
  it.isGone = true
  await it.runUntil(10_000)
  it.isGone = false

  await it.runUntil(24_000)

  assert.equal(it.looks[0], 20_000)
})

test('after a restart of the server all have time to be heard, and no more, also for one that was not there', async () => {
  const it = aSupervision()
  it.state = 'waiting'
  await it.runUntil(8_000)
  it.startedMs = 7_000
  it.state = 'open'

  await it.runUntil(24_000)

  assert.equal(it.looks[0], 14_000)
})

test('a worker that waited for the database, or was stopped for a while, waits until all can have been heard', async () => {
  const waited = aSupervision()
  waited.state = 'waiting'
  await waited.runUntil(10_000)
  waited.state = 'open'
  const stopped = aSupervision()
  await stopped.runUntil(2_000)
  stopped.looks.length = 0
  stopped.standStill(10_000)

  await waited.runUntil(30_000)
  await stopped.runUntil(40_000)

  // Turns come every two seconds, and all can have been heard 8.7 s after the last that found something wrong.
  assert.equal(waited.looks[0], 20_000)
  assert.equal(stopped.looks[0], 24_000)
})
