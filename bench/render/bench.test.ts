import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from './bench.ts'

test('the bench of rendering copies the very bytes that are rendered, and tells its ratios', async () => {
  const { figures, targets } = await render.run({ rounds: 1, secondsPerRound: 0.3, say: () => {} })

  const missing = Object.keys(targets).filter((name) => !(Number(figures[name]) > 0))
  assert.deepEqual(missing, [])
})
