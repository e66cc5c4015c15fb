import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setImmediate, setTimeout } from 'node:timers/promises'
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

test('a slot that idle processors have room for is used again as soon as its file ends', async () => {
  const running = new Set<() => void>()
  let left = 5 * least
  const ran = runWhileRoom({
    lookMs: 20,
    readIdleShare: () => 0.5,
    async runNext() {
      left -= 1
      if (left < 0) return false
      const { promise, resolve } = Promise.withResolvers<void>()
      running.add(resolve)
      await promise
      running.delete(resolve)
      return true
    },
  })
  const endAll = () => {
    for (const end of running) end()
  }
  while (running.size <= least) await setTimeout(1)

  endAll()
  await setImmediate()
  const begun = running.size
  const ending = setInterval(endAll, 1)
  await ran.finally(() => clearInterval(ending))

  assert.ok(begun > least, `${begun} run before the next look`)
})
