import assert from 'node:assert/strict'
import { test } from 'node:test'
import { render } from './bench.ts'

test('the render bench copies the rendered bytes exactly, and reports its ratios', async () => {
  const { figures, targets } = await render.run({ rounds: 1, secondsPerRound: 0.3, log: () => {} })

  const missing = Object.keys(targets).filter((name) => !(Number(figures[name]) > 0))
  assert.deepEqual(missing, [])
})
