import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureAudience } from './measure.ts'

test('the bench of the audience counts real requests and adds real batches', async () => {
  const sizes = { sessions: 20_000, channels: 20, viewersOfEach: 3, hours: 6, rows: 200, batches: 2 }

  const figures = await measureAudience(sizes, { rounds: 1, secondsPerRound: 1, log: () => {} })

  // On a busy machine a ratio is inexact: these bounds only catch something that is broken.
  const isBetween = (name: string, low: number, high: number) =>
    assert.ok(Number(figures[name]) >= low && Number(figures[name]) <= high, `${name}: ${figures[name]}`)
  isBetween('sessions', 20_000, 22_001)
  isBetween('bytes_per_session', 10, 400)
  isBetween('counting_ratio', 0.3, 3)
  isBetween('viewers_counted', 60, 60)
  isBetween('heartbeats_counted', 60, Number.MAX_SAFE_INTEGER)
  isBetween('report_ratio', 0.1, 3)
  isBetween('events_counted', 60, Number.MAX_SAFE_INTEGER)
  isBetween('roll_up_ratio_new', 0.01, 3)
  isBetween('roll_up_ratio_conflicting', 0.01, 3)
})
