import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addCues, type Cue } from './cues.ts'

const playlist = (first: number, count: number) =>
  [
    '#EXTM3U',
    '#EXT-X-TARGETDURATION:2',
    `#EXT-X-MEDIA-SEQUENCE:${first}`,
    ...Array.from({ length: count }, (_, at) => `#EXTINF:2.000000,\n${first + at}.ts`),
    '',
  ].join('\n')

const marksOf = (text: string) =>
  text
    .split('\n')
    .flatMap((line, at, all) =>
      line.startsWith('#EXT-X-CUE')
        ? [`${line} before ${all.slice(at).find((it) => it.endsWith('.ts'))}`]
        : [],
    )

test('a cue begins after the segments that were listed when it was added, and ends after its duration', () => {
  const cues: Cue[] = [{ seconds: 4, isStated: true, from: undefined }]

  const listed = [playlist(10, 3), playlist(11, 3), playlist(13, 4)].map((text) =>
    marksOf(addCues(text, cues)),
  )

  assert.deepEqual(listed, [
    [],
    ['#EXT-X-CUE-OUT:4 before 13.ts'],
    ['#EXT-X-CUE-OUT:4 before 13.ts', '#EXT-X-CUE-IN before 15.ts'],
  ])
  assert.deepEqual(marksOf(addCues(playlist(14, 3), cues)), ['#EXT-X-CUE-IN before 15.ts'])
  assert.deepEqual(marksOf(addCues(playlist(20, 3), cues)), [])
})

test('without a cue the playlist is as ffmpeg wrote it', () => {
  assert.equal(addCues(playlist(0, 3), []), playlist(0, 3))
})
