import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { ClockVerdict } from '@continuity/core/time/clock-verdict'
import { aCapturedLog } from '../../http/testing/captured-log.ts'
import { until } from '../feed/testing/a-feed-system.ts'
import { createMetrics } from '../metrics/metrics.ts'
import { checkClock } from './clock-check.ts'
import { createReferenceClock } from './reference-clock.ts'

interface Clocks {
  ownMs: number
  databaseMs: number | undefined
  brokerMs: number | undefined
}

/** A process and two servers whose clocks are ahead by these offsets; undefined is unavailable. */
function aCheck(t: TestContext, clocks: Clocks) {
  const read = (name: 'databaseMs' | 'brokerMs') => async () => {
    const aheadMs = clocks[name]
    if (aheadMs === undefined) throw new Error('unavailable')
    const atMs = performance.now()
    return { serverMs: Date.now() + aheadMs, fromMs: atMs, toMs: atMs + 0.1 }
  }
  const log = aCapturedLog()
  const metrics = createMetrics()
  const verdicts: ClockVerdict[] = []
  const check = checkClock({
    systemClock: () => Date.now() + clocks.ownMs,
    database: createReferenceClock(read('databaseMs')),
    broker: createReferenceClock(read('brokerMs')),
    logger: log.logger,
    metrics,
    onVerdict: (verdict) => void verdicts.push(verdict),
  })
  t.after(() => check.close())
  return { check, log, metrics, verdicts }
}

const isClockWrong = (error: { kind?: { code: string; status: number } }) =>
  error.kind?.code === 'clock.wrong' && error.kind.status === 503

test('a process may write after the first comparison, and not before', async (t) => {
  const { check, metrics } = aCheck(t, { ownMs: 0, databaseMs: 0, brokerMs: 0 })
  const before = check.isRight()
  assert.throws(() => check.requireRight(), isClockWrong)

  await check.checked

  assert.equal(before, false)
  assert.equal(check.isRight(), true)
  assert.match(metrics.print(), /^clock_offset_seconds\{reference="postgresql"\} -?0(\.\d+)?$/m)
  assert.match(metrics.print(), /^clock_offset_seconds\{reference="nats"\} -?0(\.\d+)?$/m)
})

test('without PostgreSQL there is no verdict until it is available', async (t) => {
  const clocks: Clocks = { ownMs: 0, databaseMs: undefined, brokerMs: 0 }
  const { check, verdicts } = aCheck(t, clocks)
  await new Promise((resolve) => setTimeout(resolve, 300))
  const before = check.isRight()

  clocks.databaseMs = 0
  await check.checked

  assert.equal(before, false)
  assert.equal(check.isRight(), true)
  assert.ok(verdicts.length > 0)
})

test('the first verdict waits for a broker that connects a moment later, so that PostgreSQL does not decide alone', async (t) => {
  const clocks: Clocks = { ownMs: 0, databaseMs: 3_600_000, brokerMs: undefined }
  const { check, verdicts } = aCheck(t, clocks)
  await new Promise((resolve) => setTimeout(resolve, 200))
  clocks.brokerMs = 0

  await check.checked

  assert.equal(verdicts[0]?.atFault, 'database')
  assert.equal(check.isRight(), true)
})

test('where the broker is unavailable, PostgreSQL decides after half a second', async (t) => {
  const { check, verdicts } = aCheck(t, { ownMs: 3_600_000, databaseMs: 0, brokerMs: undefined })

  await check.checked

  assert.equal(verdicts[0]?.atFault, 'own')
  assert.throws(() => check.requireRight(), isClockWrong)
})

test('a clock step stops the process at once, and it resumes by itself', async (t) => {
  const clocks: Clocks = { ownMs: 0, databaseMs: 0, brokerMs: 0 }
  const { check, log } = aCheck(t, clocks)
  await check.checked

  clocks.ownMs = -3_600_000
  const isRightAfterStep = check.isRight()
  await until(() => log.text().includes('clocks disagree'), 6_000)
  clocks.ownMs = 0
  const isRightAgain = check.isRight()
  await until(() => log.text().includes('clocks agree again'), 6_000)

  assert.deepEqual([isRightAfterStep, isRightAgain], [false, true])
  assert.equal(log.lines().filter(({ level }) => level === 'error').length, 1)
})

test('an offset of a few hundred milliseconds is reported, and the process continues', async (t) => {
  const { check, verdicts } = aCheck(t, { ownMs: 400, databaseMs: 0, brokerMs: 0 })

  await check.checked

  assert.equal(check.isRight(), true)
  assert.equal(verdicts[0]?.atFault, 'own')
})
