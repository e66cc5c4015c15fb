import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from './bench.ts'

test('the bench of the catalog loads one, and every measure of it gives its figures', async () => {
  // A request that were refused would end it. On a busy machine some may be turned away.
  const { figures, targets } = await catalog.run({
    rounds: 1,
    secondsPerRound: 0.2,
    videos: 20_000,
    say: () => {},
  })

  const missing = Object.keys(targets).filter((name) => !Number.isFinite(figures[name]))
  assert.deepEqual(missing, [])
  assert.ok(Number(figures['page_ratio']) > 0)
  assert.ok(Number(figures['search_rare_ratio']) > 0)
  assert.ok(Number(figures['writes_answered']) > 0)
})
