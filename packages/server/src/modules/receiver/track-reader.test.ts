import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSourcePlaylist } from '@continuity/core/live/source-playlist'
import { createCueReader } from './track-reader.ts'

const START_MS = Date.parse('2026-11-16T12:00:00Z')
const timeAt = (seconds: number) => new Date(START_MS + 1_000 * seconds).toISOString()

interface Listed {
  readonly first: number
  readonly count: number
  readonly ranges?: readonly string[]
}

const SEGMENT_SECONDS = 6
const rangeAt = (id: string, seconds: number, more = '') =>
  `#EXT-X-DATERANGE:ID="${id}",START-DATE="${timeAt(seconds)}",SCTE35-OUT=0xFC${more}`

/** A playlist of a source with segments of 6 s. */
function aPlaylist({ first, count, ranges = [] }: Listed) {
  const text = [
    `#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...ranges,
    `#EXT-X-PROGRAM-DATE-TIME:${timeAt(SEGMENT_SECONDS * first)}`,
    ...Array.from({ length: count }, (_, at) => `#EXTINF:6,\n${first + at}.ts`),
  ].join('\n')
  const playlist = readSourcePlaylist(text, 'https://live.example/index.m3u8')
  assert.ok(playlist.kind === 'media')
  return playlist
}

/** Reads the new segments of each reload, and returns `segment: offsets` of those with cues. */
function readAll(...reloads: readonly Listed[]): string[] {
  const reader = createCueReader()
  let next = reloads[0]!.first
  return reloads.flatMap((listed) => {
    const playlist = aPlaylist(listed)
    const fresh = playlist.segments.filter(({ sequence }) => sequence >= next)
    next = listed.first + listed.count
    return fresh.flatMap((segment) => {
      const cues = reader.read(segment, playlist)
      return cues.length === 0
        ? []
        : [`${segment.sequence}: ${cues.map(({ kind, offsetMs }) => `${kind} ${offsetMs}`).join(', ')}`]
    })
  })
}

test('a dated cue is returned once, with the segment that contains its time', () => {
  const ranges = [rangeAt('a', 15)]
  assert.deepEqual(
    readAll({ first: 0, count: 2, ranges }, { first: 1, count: 2, ranges }, { first: 2, count: 3, ranges }),
    ['2: out 3000'],
  )
})

test('a cue announced after its time is returned with the next segment', () => {
  assert.deepEqual(
    readAll(
      { first: 0, count: 3 },
      { first: 1, count: 3, ranges: [rangeAt('a', 15)] },
      { first: 2, count: 3 },
    ),
    ['3: out 0'],
  )
})

test('an end without a time is returned with the next segment', () => {
  const end = `#EXT-X-DATERANGE:ID="a",START-DATE="${timeAt(6)}",SCTE35-IN=0xFC`
  const ranges = [rangeAt('a', 6)]
  assert.deepEqual(
    readAll({ first: 0, count: 2, ranges }, { first: 1, count: 2, ranges: [...ranges, end] }),
    ['1: out 0', '2: in 0'],
  )
})

test('cues before the first segment read are ignored', () => {
  assert.deepEqual(readAll({ first: 5, count: 2, ranges: [rangeAt('a', 10), rangeAt('b', 37)] }), [
    '6: out 1000',
  ])
})
