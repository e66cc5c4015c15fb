import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import type { Db } from '../database/database.ts'
import type { JobRun } from './job-handler.ts'
import type { NoData } from './job-map.ts'
import { purgeExpired } from './purge-expired.ts'

const NOW_MS = Date.parse('2026-03-01T18:00:00Z')

function aRun(over: Partial<JobRun<NoData>> = {}) {
  const log = aCapturedLog()
  const run = {
    db: {} as Db,
    nowMs: NOW_MS,
    signal: new AbortController().signal,
    logger: log.logger,
    ...over,
  } as JobRun<NoData>
  return { run, log }
}

/** Returns these counts, one per call, and records the times that it was called with. */
function aPurge(...batches: number[]) {
  const calls: number[] = []
  return {
    calls,
    purge: async (_db: Db, nowMs: number) => {
      calls.push(nowMs)
      return batches.shift() ?? 0
    },
  }
}

test('each purge runs until it finds no more rows, and the count is logged', async () => {
  const eggs = aPurge(100, 100, 7)
  const bells = aPurge()
  const { run, log } = aRun()

  await purgeExpired({ eggs: eggs.purge, bells: bells.purge })(run)

  assert.deepEqual(eggs.calls, [NOW_MS, NOW_MS, NOW_MS, NOW_MS])
  assert.deepEqual(bells.calls, [NOW_MS])
  assert.deepEqual(
    log.lines().map(({ what, rows }) => [what, rows]),
    [['eggs', 207]],
  )
})

test('an aborted run stops between two calls', async () => {
  const stopping = new AbortController()
  const { run } = aRun({ signal: stopping.signal })
  let calls = 0
  const endless = async () => {
    calls += 1
    if (calls === 3) stopping.abort(new Error('the worker stops'))
    return 1
  }

  await assert.rejects(purgeExpired({ endless })(run), /the worker stops/)
  assert.equal(calls, 3)
})
