import assert from 'node:assert/strict'
import { test } from 'node:test'
import { planTargets } from './bench.ts'
import { measurePlan } from './measure.ts'

test('the plan bench plans every case and reports its cost', async () => {
  const figures = await measurePlan({ videos: 10_000, days: 2, rounds: 1 })

  for (const name of Object.keys(planTargets)) assert.ok(Number.isFinite(figures[name]), name)
  for (const name of ['usual', 'rating', 'rating_of_episodes', 'availability', 'keyword']) {
    assert.ok(Number(figures[`programs_${name}`]) > 40, name)
  }
  assert.equal(figures['programs_nothing'], 0)
})
