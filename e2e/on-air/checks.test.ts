import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Committed, findDifference } from './committed.ts'
import { createOutputWatch, directOf, segmentsIn } from './output-watch.ts'
import { findDisagreement, type PlaylistAnswer } from './status-agreement.ts'

const START_MS = Date.parse('2026-03-01T18:00:00Z')
const SEGMENT_MS = 3_200

/** A window of ten segments, named after their sequence numbers by default. */
function aPlaylist(first: number, uriOf = (sequence: number) => `/media/a/b/90p/${sequence}.ts`): string {
  const numbers = Array.from({ length: 10 }, (_, at) => first + at)
  const head = ['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-TARGETDURATION:5', `#EXT-X-MEDIA-SEQUENCE:${first}`]
  const date = new Date(START_MS + first * SEGMENT_MS).toISOString()
  const start = ['#EXT-X-DISCONTINUITY-SEQUENCE:0', '#EXT-X-INDEPENDENT-SEGMENTS']
  const segments = numbers.flatMap((sequence) => ['#EXTINF:3.20000,', uriOf(sequence)])
  return `${[...head, ...start, `#EXT-X-PROGRAM-DATE-TIME:${date}`, ...segments].join('\n')}\n`
}

const endOf = (last: number): number => START_MS + (last + 1) * SEGMENT_MS

test('a segment that changes under its sequence number is reported, however old it is', () => {
  const watch = createOutputWatch(directOf('channel'))
  for (let first = 0; first <= 200; first += 1) watch.checkMedia(endOf(first + 9), '90p', aPlaylist(first))
  assert.equal(watch.faults.length, 0)

  watch.checkMedia(
    endOf(210),
    '90p',
    aPlaylist(5, (sequence) => `/media/c/d/90p/${sequence}.ts`),
  )

  assert.ok(watch.faults.includes('90p: 5 is /media/c/d/90p/5.ts and was /media/a/b/90p/5.ts'))
})

const committed: Committed = {
  segments: new Map(
    Array.from({ length: 20 }, (_, sequence) => [
      sequence,
      {
        sequence,
        startMs: START_MS + sequence * SEGMENT_MS,
        endMs: endOf(sequence),
        path: 'a/b',
        name: `${sequence}.ts`,
      },
    ]),
  ),
  lastEndedBy: (ms) => Math.floor((ms - START_MS) / SEGMENT_MS) - 1,
}

test('a playlist that differs from the committed timeline is reported', () => {
  const differenceOf = (text: string, atMs: number) =>
    findDifference(segmentsIn(text), committed, '90p', atMs)

  assert.equal(differenceOf(aPlaylist(3), endOf(12)), undefined)

  assert.match(differenceOf(aPlaylist(3), endOf(13)) ?? '', /^the last listed segment is 12/)
  assert.match(differenceOf(aPlaylist(15), endOf(24)) ?? '', /^20 was never committed/)
  assert.match(
    differenceOf(
      aPlaylist(3, () => '/media/c/d/90p/7.ts'),
      endOf(12),
    ) ?? '',
    /^3 is \/media\/c\/d/,
  )
  assert.match(differenceOf('not a playlist', endOf(12)) ?? '', /^the last listed segment is undefined/)
})

test('a playlist that contradicts the status of its channel is reported', () => {
  const past = { onSinceMs: 0, offSinceMs: 100_000, lastEndMs: 99_000 }
  const listed = (lastEndMs: number, isEnded: boolean) =>
    ({ kind: 'playlist', lastEndMs, isEnded }) as const satisfies PlaylistAnswer
  const offline = { kind: 'error', code: 'channel.offline' } as const satisfies PlaylistAnswer
  const at = (status: string, ms: number, answer: PlaylistAnswer) =>
    findDisagreement({ status, beforeMs: ms, afterMs: ms, answer }, past) === undefined

  const agreeing = [
    at('ON_AIR', 110_000, listed(107_000, false)),
    at('ON_AIR', 1_000, offline),
    at('PENDING_OFFLINE', 110_000, listed(108_000, false)),
    at('OFFLINE', 100_400, listed(99_000, false)),
    at('OFFLINE', 101_000, listed(99_000, true)),
    at('PENDING_ON_AIR', 158_000, listed(99_000, true)),
    at('OFFLINE', 160_000, offline),
  ]
  const contradicting = [
    at('ON_AIR', 110_000, listed(107_000, true)),
    at('ON_AIR', 110_000, listed(106_000, false)),
    at('ON_AIR', 110_000, offline),
    at('PENDING_OFFLINE', 110_000, listed(109_000, true)),
    at('OFFLINE', 101_000, listed(99_000, false)),
    at('OFFLINE', 100_000, listed(99_000, true)),
    at('OFFLINE', 104_000, listed(103_000, false)),
    at('PENDING_ON_AIR', 140_000, offline),
    at('OFFLINE', 160_000, listed(99_000, true)),
  ]

  assert.ok(
    agreeing.every((agrees) => agrees),
    agreeing.join(),
  )
  assert.ok(!contradicting.some((agrees) => agrees), contradicting.join())
})
