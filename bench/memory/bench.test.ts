import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memoryTargets } from './bench.ts'
import { measureMemory } from './measure.ts'

test('the memory bench loads channels and reports the memory they use', async () => {
  const figures = await measureMemory({ channels: 20, hours: 6 })

  const isReported = (name: string) => Number.isFinite(figures[name])
  assert.deepEqual(
    Object.keys(memoryTargets).filter((name) => !isReported(name)),
    [],
  )
  assert.equal(figures['hot_channels'], 20)
  assert.ok(Number(figures['kb_per_channel']) > 1)
  assert.ok(Number(figures['unpack_window_us']) > 0)
})
