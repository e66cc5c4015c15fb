import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { WindowedProgram } from '../timeline/span.ts'
import { printPlanned, readPlanned } from './planned-text.ts'

const anyPrograms = fc.array(
  fc.record(
    {
      id: fc.uuid(),
      title: fc.string({ unit: 'binary' }),
      description: fc.string({ unit: 'binary' }),
      startMs: fc.nat(),
      endMs: fc.nat(),
      details: fc.record(
        { seriesTitle: fc.string(), seasonNumber: fc.nat(), genres: fc.array(fc.string()) },
        { requiredKeys: [], noNullPrototype: true },
      ),
    },
    { noNullPrototype: true },
  ),
  { maxLength: 8 },
)

const news: WindowedProgram = { id: 'news', title: 'News', description: '', startMs: 1, endMs: 2 }

test('planned programs are read as they were written', () => {
  fc.assert(
    fc.property(anyPrograms, (programs) => {
      const { text, count } = printPlanned(programs, Number.POSITIVE_INFINITY)

      assert.deepEqual(readPlanned(text), programs)
      assert.equal(count, programs.length)
    }),
  )
})

test('details that are missing are written as none', () => {
  assert.deepEqual(readPlanned(printPlanned([news], 100).text), [{ ...news, details: {} }])
})

test('the first programs that fit are written, and their text is not longer than allowed', () => {
  const programs = ['one', 'two', 'three'].map((id) => ({ ...news, id }))
  // ["one",1,2,"News","",{}] has 24 characters.
  assert.equal(printPlanned(programs, 2 + 2 * 25).text.length, 2 + 24 + 1 + 24)

  fc.assert(
    fc.property(anyPrograms, fc.nat(600), (given, most) => {
      const { text, count } = printPlanned(given, most)

      assert.deepEqual(readPlanned(text), given.slice(0, count))
      assert.ok(text.length <= Math.max(most, 2))
    }),
  )
})
