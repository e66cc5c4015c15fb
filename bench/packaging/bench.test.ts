import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import { comparePackaging } from './compare.ts'

test('the packaging bench runs and reports its ratio', async () => {
  const film = { seconds: 10, size: '320x180' }
  const ladder = DEFAULT_LADDER.slice(0, 1)

  const figures = await comparePackaging({
    ...film,
    ladder,
    preset: 'ultrafast',
    rounds: 1,
    log: () => {},
  })

  assert.ok(Number(figures['packaging_ratio']) > 0)
  assert.ok(Number(figures['packaging_cpu_ratio']) > 0)
})
