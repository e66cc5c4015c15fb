import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createSupervision, type WorkerState } from './supervision.ts'

/** Runs a supervision every two seconds of a fake clock; the database server can be restarted or gone. */
function aSupervision() {
  let nowMs = 0
  const it = { state: 'open' as WorkerState, startedMs: -1_000_000, isGone: false, runs: [] as number[] }
  const answer = async () => {
    if (it.isGone) throw new Error('gone')
    return { rows: [{ ms: `${nowMs - it.startedMs}` }] }
  }
  const boss = {
    getDb: () => ({ executeSql: answer }),
    supervise: async () => {
      it.runs.push(nowMs)
    },
  }
  const turn = createSupervision({
    boss,
    state: () => it.state,
    log: () => {},
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

test('a worker that has just started supervises on its first run', async () => {
  const it = aSupervision()

  await it.runUntil(2_000)

  assert.deepEqual(it.runs, [2_000])
})

test('after an outage a worker waits until every worker can have sent a heartbeat', async () => {
  const it = aSupervision()
  it.isGone = true
  await it.runUntil(10_000)
  it.isGone = false

  await it.runUntil(24_000)

  assert.equal(it.runs[0], 20_000)
})

test('after a server restart every worker waits for the heartbeats, also one that missed the restart, and no longer', async () => {
  const it = aSupervision()
  it.state = 'waiting'
  await it.runUntil(8_000)
  it.startedMs = 7_000
  it.state = 'open'

  await it.runUntil(24_000)

  assert.equal(it.runs[0], 14_000)
})

test('a worker that waited for the database, or was suspended, waits until every worker can have sent a heartbeat', async () => {
  const waited = aSupervision()
  waited.state = 'waiting'
  await waited.runUntil(10_000)
  waited.state = 'open'
  const stopped = aSupervision()
  await stopped.runUntil(2_000)
  stopped.runs.length = 0
  stopped.standStill(10_000)

  await waited.runUntil(30_000)
  await stopped.runUntil(40_000)

  // Runs come every two seconds, and every worker has sent a heartbeat 8.7 s after the last fault.
  assert.equal(waited.runs[0], 20_000)
  assert.equal(stopped.runs[0], 24_000)
})
