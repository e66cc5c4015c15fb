import assert from 'node:assert/strict'
import { test } from 'node:test'
import { session } from './bench.ts'

test('the session bench runs and reports its ratio', async () => {
  // A rejected request would end it: the load throws on any status but 2xx.
  const { figures } = await session.run({ rounds: 1, secondsPerRound: 1, log: () => {} })

  assert.ok(Number(figures['ratio']) > 0)
})
