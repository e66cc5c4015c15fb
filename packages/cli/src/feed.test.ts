import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLine } from './testing/a-world.ts'

const actions = { beginFeedEpoch: () => Promise.resolve({ epoch: 1_795_000_000, before: 1 }) }

test('begins a new epoch and prints it', async () => {
  const { printed, exitCode } = await runLine('feed new-epoch', { actions })

  assert.equal(exitCode, 0)
  assert.match(printed, /^The feed is in epoch 1795000000 \(before: 1\)\./)
})

test('a script gets the epoch', async () => {
  const { printed } = await runLine('feed new-epoch --json', { actions })

  assert.deepEqual(JSON.parse(printed), { epoch: 1_795_000_000, before: 1 })
})
