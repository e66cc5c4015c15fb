import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalog } from './bench.ts'

test('the catalog bench loads a catalog and reports all figures', async () => {
  // A rejected request would end it, except for rejections on a busy machine.
  const { figures, targets } = await catalog.run({
    rounds: 1,
    secondsPerRound: 0.2,
    videos: 20_000,
    log: () => {},
  })

  const missing = Object.keys(targets).filter((name) => !Number.isFinite(figures[name]))
  assert.deepEqual(missing, [])
  assert.ok(Number(figures['page_ratio']) > 0)
  assert.ok(Number(figures['search_rare_ratio']) > 0)
  assert.ok(Number(figures['writes_answered']) > 0)
})
