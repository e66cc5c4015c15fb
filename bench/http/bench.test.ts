import assert from 'node:assert/strict'
import { test } from 'node:test'
import { http } from './bench.ts'

test('the http bench runs and reports its ratio', async () => {
  const { figures } = await http.run({ rounds: 1, secondsPerRound: 1, log: () => {} })

  assert.ok(Number(figures['ratio']) > 0)
})
