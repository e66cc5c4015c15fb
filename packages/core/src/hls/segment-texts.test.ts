import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { aMedia } from '../schedule/testing/a-schedule.ts'
import { createSegmentTexts, type SegmentTexts } from './segment-texts.ts'

const film = aMedia('film', 320.5)

const linesOf = (texts: SegmentTexts, from: number, to: number, rung = '720p', media = film): string => {
  const added: string[] = []
  texts.addTexts(added, media, rung, from, to)
  return added.join('')
}

const create = (keptCharacters: number) => createSegmentTexts({ mediaBase: '/media/', keptCharacters })

test('a segment has its duration and its address', () => {
  assert.equal(linesOf(create(1_000), 7, 8), '#EXTINF:3.200000,\n/media/film/720p/00007.ts\n')
})

test('the last segment has its duration including the tail', () => {
  assert.equal(linesOf(create(1_000), 99, 100), '#EXTINF:3.700000,\n/media/film/720p/00099.ts\n')
})

test('a segment of a live source is named by its slot', () => {
  const live = { sourceId: 'north', epoch: 1 }

  assert.equal(
    create(1).addressOf({ path: 'live/north', number: 552_258_009, live, airedAs: 'LIVE' }, '720p'),
    '/media/live/north/720p/552258009.ts',
  )
})

test('a slate that replaces a live source has its usual address', () => {
  assert.equal(
    create(1).addressOf({ path: 'fill', number: 3, live: null, airedAs: 'SLATE' }, '720p'),
    '/media/fill/720p/00003.ts',
  )
})

test('the lines do not depend on the size of the cache', () => {
  const single = (at: number) => linesOf(create(0), at, at + 1)
  const anyStretch = fc
    .tuple(fc.nat(99), fc.integer({ min: 1, max: 100 }))
    .map(([from, count]) => [from, Math.min(100, from + count)] as const)
  fc.assert(
    fc.property(fc.array(anyStretch, { minLength: 1, maxLength: 6 }), (stretches) => {
      const [warm, tight, none] = [create(1_000_000), create(2_000), create(0)]

      for (const [from, to] of stretches) {
        const expected = Array.from({ length: to - from }, (_, at) => single(from + at)).join('')
        for (const texts of [warm, tight, none]) assert.equal(linesOf(texts, from, to), expected)
      }
    }),
    { numRuns: 50 },
  )
})

test("renditions and media do not get each other's lines", () => {
  const texts = create(1_000_000)
  const other = aMedia('other', 320.5)

  assert.match(linesOf(texts, 0, 1, '720p'), /film\/720p/)
  assert.match(linesOf(texts, 0, 1, '360p'), /film\/360p/)
  assert.match(linesOf(texts, 0, 1, '720p', other), /other\/720p/)
})
