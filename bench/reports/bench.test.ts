import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureReports } from './measure.ts'

test('the bench of reports reads every row in every format', async () => {
  const sizes = { channels: 4, distributors: 3, videosOfAnHour: 5, videos: 50, otherDays: 1 }

  const figures = await measureReports(sizes, { rounds: 1, secondsPerRound: 1, log: () => {} })

  assert.equal(figures['rows'], 24 * 4 * 3 * 5)
  for (const name of ['csv_ratio', 'json_ratio', 'ndjson_ratio', 'day_beside_others_ratio'])
    assert.ok(Number(figures[name]) > 0.01 && Number(figures[name]) < 100, `${name}: ${figures[name]}`)
})
