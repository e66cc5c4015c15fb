import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readTraceId } from './trace.ts'

const trace = '4bf92f3577b34da6a3ce929d0e0e4736'
const span = '00f067aa0ba902b7'

test("the caller's trace is kept, of this version and of later ones", () => {
  assert.equal(readTraceId(`00-${trace}-${span}-01`), trace)
  assert.equal(readTraceId(`cc-${trace}-${span}-01-what-the-future-holds`), trace)
})

test('a request without a valid traceparent has no trace id', () => {
  const improper: readonly (string | string[] | undefined)[] = [
    undefined,
    '',
    `ff-${trace}-${span}-01`,
    `00-${'0'.repeat(32)}-${span}-01`,
    `00-${trace}-${'0'.repeat(16)}-01`,
    `00-${trace.toUpperCase()}-${span}-01`,
    `00-${trace.slice(1)}-${span}-01`,
    `00-${trace}-${span}`,
    `00-${trace}-${span}-01x`,
    ` 00-${trace}-${span}-01`,
    `00-${trace}-${span}-01, 00-${trace}-${span}-01`,
    [`00-${trace}-${span}-01`],
  ]

  for (const header of improper) assert.equal(readTraceId(header), undefined, String(header))
})
