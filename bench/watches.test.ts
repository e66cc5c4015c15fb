import assert from 'node:assert/strict'
import { test } from 'node:test'
import { printMeasuredCode } from '../tools/figures/measured-code.ts'
import { benches } from './all.ts'

test('every bench watches code that exists: its page would never be stale otherwise', () => {
  assert.ok(benches.length > 10)
  for (const { watches } of benches) assert.doesNotThrow(() => printMeasuredCode(watches))
})
