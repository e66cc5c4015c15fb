import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textAt } from './a-channel.ts'
import { agreeOn } from './testing/other-parsers.ts'

test('other parsers parse all playlists of a channel to the same result', () => {
  for (const markers of ['BOTH', 'DATERANGE', 'CUE', 'NONE'] as const) {
    for (let ms = 40_000; ms <= 205_600; ms += 1_600) {
      const text = textAt(ms, { markers, canSkip: true, isEnded: ms > 200_000 })

      assert.deepEqual(agreeOn(text), [], text)
    }
  }
})

test('reports an error of another parser', () => {
  const text = textAt(57_000).replace('TARGETDURATION:5', 'TARGETDURATION:2')

  assert.match(agreeOn(text).join('\n'), /hls-parser: .*EXTINF duration/)
})

test('reports a value that another parser reads differently', () => {
  // Without EXT-X-MEDIA-SEQUENCE other parsers assume 0, ours returns undefined.
  const text = textAt(57_000).replace(/#EXT-X-MEDIA-SEQUENCE.*\n/, '')

  assert.match(agreeOn(text).join('\n'), /m3u8-parser: mediaSequence is 0, expected undefined/)
})
