import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMemory } from './memory.ts'
import type { Segment } from './playlist.ts'

const aSegment = (sequence: number): Segment => ({
  sequence,
  uri: `${sequence}.ts`,
  durationMs: 3_200,
  isTagged: false,
  pdtMs: undefined,
  cues: [],
  neededVersion: 3,
  block: '',
  discontinuity: 0,
  startMs: sequence * 3_200,
})
const aWindow = (first: number) => Array.from({ length: 10 }, (_, at) => aSegment(first + at))

test('keeps at least two previous windows, and at most four windows in all', () => {
  const memory = createMemory()

  for (let first = 0; first <= 10_000; first++) memory.remember(aWindow(first))

  assert.equal(memory.last()?.sequence, 10_009)
  assert.equal(memory.recall(9_990)?.uri, '9990.ts')
  assert.equal(memory.recall(9_960), undefined)
})

test('keeps the first version of a segment, and drops everything before a gap', () => {
  const memory = createMemory()
  const first = aWindow(0)

  memory.remember(first)
  memory.remember(aWindow(1))

  assert.equal(memory.recall(5), first[5])
  memory.remember(aWindow(100))
  assert.equal(memory.recall(5), undefined)
  assert.equal(memory.recall(100)?.sequence, 100)
})
