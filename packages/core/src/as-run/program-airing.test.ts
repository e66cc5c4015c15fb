import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AsRunEntry } from './as-run.ts'
import { continuesAiring, longestVideo } from './program-airing.ts'

const program = (id: string) => ({ id, title: id, description: '', startMs: 0, endMs: 1 })

const anEntry = (fields: Partial<AsRunEntry>): AsRunEntry => ({
  program: program('news'),
  component: 0,
  type: 'VIDEO',
  referenceId: 'a',
  title: '',
  breakSequence: null,
  startTicks: 0,
  endTicks: 10,
  segments: 1,
  ...fields,
})

test('an airing continues with the next component of the same program, not across a gap or without a program', () => {
  const first = anEntry({})

  assert.ok(continuesAiring(first, anEntry({ startTicks: 10, endTicks: 20, component: 1 })))
  assert.ok(!continuesAiring(first, anEntry({ startTicks: 11, endTicks: 20 })))
  assert.ok(!continuesAiring(first, anEntry({ startTicks: 10, endTicks: 20, program: program('film') })))
  assert.ok(!continuesAiring(anEntry({ program: null }), anEntry({ startTicks: 10, program: null })))
})

test('the main video of a program is the longest in total, also in several parts', () => {
  const entries = [
    anEntry({ referenceId: 'a', startTicks: 0, endTicks: 10 }),
    anEntry({ type: 'AD_POD', referenceId: null, startTicks: 10, endTicks: 100 }),
    anEntry({ type: 'INTERSTITIAL', referenceId: 'promo', startTicks: 100, endTicks: 200 }),
    anEntry({ referenceId: 'b', startTicks: 200, endTicks: 208 }),
    anEntry({ referenceId: 'b', startTicks: 208, endTicks: 216 }),
  ]

  assert.equal(longestVideo({ entries }), 'b')
  assert.equal(longestVideo({ entries: entries.slice(0, 4) }), 'a')
  assert.equal(longestVideo({ entries: entries.slice(1, 3) }), null)
})
