import assert from 'node:assert/strict'
import { test } from 'node:test'
import { http } from './bench.ts'

test('the bench of the stack runs and tells its ratio', async () => {
  const { figures } = await http.run({ rounds: 1, secondsPerRound: 1, say: () => {} })

  assert.ok(Number(figures['ratio']) > 0)
})
