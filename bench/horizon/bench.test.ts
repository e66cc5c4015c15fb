import assert from 'node:assert/strict'
import { test } from 'node:test'
import { measureHorizon } from './measure.ts'

test('the bench of the horizon plans every channel, and extends it', async () => {
  const figures = await measureHorizon({ channels: 3, videos: 200, days: 3 }, { log: () => {} })

  assert.ok(Number(figures['programs_of_a_channel']) > 60, JSON.stringify(figures))
  assert.ok(Number(figures['programs_added_to_a_channel']) >= 4, JSON.stringify(figures))
  assert.ok(Number(figures['extension_ms']) > 0)
})
