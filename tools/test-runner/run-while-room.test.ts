import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { runWhileRoom } from './run-while-room.ts'

const least = availableParallelism()

/** Runs files of 30 ms; the result is how many ran, and how many of them at once. */
async function run(options: { exactly?: number; idleShare: number; files: number }) {
  const seen = { begun: 0, running: 0, most: 0 }
  await runWhileRoom({
    exactly: options.exactly,
    lookMs: 2,
    readIdleShare: () => options.idleShare,
    async runNext() {
      if (seen.begun === options.files) return false
      seen.begun += 1
      seen.running += 1
      seen.most = Math.max(seen.most, seen.running)
      await setTimeout(30)
      seen.running -= 1
      return true
    },
  })
  assert.equal(seen.running, 0, 'it returned before the last one had ended')
  return { begun: seen.begun, most: seen.most }
}

test('busy processors run as many files at once as there are processors', async () => {
  assert.deepEqual(await run({ idleShare: 0.1, files: 5 * least }), { begun: 5 * least, most: least })
})

test('idle processors run twice as many', async () => {
  assert.deepEqual(await run({ idleShare: 0.5, files: 12 * least }), { begun: 12 * least, most: 2 * least })
})

test('a number that is given is kept', async () => {
  assert.deepEqual(await run({ exactly: 1, idleShare: 1, files: 4 }), { begun: 4, most: 1 })
})

test('a share that cannot be computed is no room', async () => {
  assert.deepEqual(await run({ idleShare: Number.NaN, files: 5 * least }), { begun: 5 * least, most: least })
})
