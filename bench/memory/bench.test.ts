import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTargets } from './bench.ts'
import { measureMemory } from './measure.ts'

test('the bench of memory holds channels and tells what they take', async () => {
  const figures = await measureMemory({ channels: 20, hours: 6 })

  const isTold = (name: string) => Number.isFinite(figures[name])
  assert.deepEqual(
    Object.keys(memoryTargets).filter((name) => !isTold(name)),
    [],
  )
  assert.equal(figures['hot_channels'], 20)
  assert.ok(Number(figures['kb_per_channel']) > 1)
  assert.ok(Number(figures['unpack_window_us']) > 0)
})
