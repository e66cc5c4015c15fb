import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aLiveRun, aRun, breaksFor, loops, plays } from '../testing/a-run.ts'
import { anyRun } from '../testing/any-run.ts'
import { decodeRun, encodeRun } from './run-codec.ts'

const small = aRun({ sequence: 7, discontinuity: 3 }, plays('one', 5), breaksFor(10), loops('slate', 25))

test('a run is decoded as it was encoded', () => {
  for (const run of [
    small,
    aLiveRun({ joinedSlot: 90 }),
    aRun({ isEnd: true }),
    aRun({ discontinuity: null }),
  ]) {
    assert.deepEqual(decodeRun(encodeRun(run)), run)
  }
})

test('only a run with media in parts has the second format', () => {
  const { spans, ...run } = aRun({}, plays('one', 5))
  const [span] = spans
  assert.ok(span?.show.kind === 'asset')
  const media = { ...span.show.media, cuts: [{ segment: 2, ticks: 500_000 }] }
  const cut = { ...run, spans: [{ ...span, show: { ...span.show, media } }] }

  assert.deepEqual([encodeRun(small)[0], encodeRun(cut)[0]], [1, 2])
  assert.deepEqual(decodeRun(encodeRun(cut)), cut)
})

test('any run is decoded as it was encoded, whatever its texts', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      assert.deepEqual(decodeRun(encodeRun(run)), run)
    }),
    { numRuns: 300 },
  )
})

test('programs with the same id but different fields are both kept', () => {
  const program = { id: 'news', title: 'News', description: '', startMs: 0, endMs: 1_000 }
  const programs = [program, { ...program, title: 'Late news' }, { ...program, endMs: null }]
  const { spans, ...run } = aRun({}, ...programs.map((_, at) => plays(`video ${at}`, 5)))
  const aired = spans.map((span, at) => ({ ...span, airing: { ...span.airing, program: programs[at]! } }))

  assert.deepEqual(decodeRun(encodeRun({ ...run, spans: aired }))?.spans, aired)
})

test('the same run always encodes to the same bytes', () => {
  fc.assert(
    fc.property(anyRun, (run) => {
      const bytes = encodeRun(run)

      assert.deepEqual(encodeRun(decodeRun(bytes)!), bytes)
    }),
  )
})

test('truncated bytes are rejected', () => {
  const bytes = encodeRun(small)

  for (let length = 0; length < bytes.length; length += 1) {
    assert.equal(decodeRun(bytes.subarray(0, length)), undefined)
    assert.equal(decodeRun(bytes.subarray(bytes.length - length)), undefined)
  }
})

test('bytes with one corrupt byte are rejected', () => {
  const bytes = encodeRun(small)

  for (let at = 0; at < bytes.length; at += 1) {
    for (const mask of [1, 0x80, 0xff]) {
      const corrupt = bytes.slice()
      corrupt[at] = corrupt[at]! ^ mask
      assert.equal(decodeRun(corrupt), undefined)
    }
  }
})

test('arbitrary bytes are rejected', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
      assert.equal(decodeRun(bytes), undefined)
    }),
  )
})
