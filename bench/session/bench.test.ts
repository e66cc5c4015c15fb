import assert from 'node:assert/strict'
import { test } from 'node:test'
import { session } from './bench.ts'

test('the bench of the credentials runs and tells its ratio', async () => {
  // A request that were refused would end it: the load throws at whatever is no 2xx.
  const { figures } = await session.run({ rounds: 1, secondsPerRound: 1, say: () => {} })

  assert.ok(Number(figures['ratio']) > 0)
})
