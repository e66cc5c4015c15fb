import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SegmentIndex } from '../media/segment-index.ts'
import { printMediaPlaylist, printMultivariant } from './vod-playlists.ts'

const index: SegmentIndex = {
  version: 1,
  frameRate: 25,
  segmentMs: 3_200,
  durationTicks: 630_000,
  segments: [288_000, 342_000],
  rungs: [
    {
      name: '360p',
      width: 640,
      height: 360,
      bandwidth: 900,
      averageBandwidth: 800,
      codecs: 'avc1.64001e,mp4a.40.2',
    },
  ],
}

test('a media playlist lists every segment with its duration', () => {
  assert.equal(
    printMediaPlaylist(index),
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-TARGETDURATION:5
#EXT-X-MEDIA-SEQUENCE:0
#EXT-X-PLAYLIST-TYPE:VOD
#EXT-X-INDEPENDENT-SEGMENTS
#EXTINF:3.200000,
00000.ts
#EXTINF:3.800000,
00001.ts
#EXT-X-ENDLIST
`,
  )
  assert.match(printMediaPlaylist({ ...index, segmentMs: 6_400 }), /TARGETDURATION:8\n/)
})

test('a multivariant playlist has the attributes of each rung', () => {
  assert.equal(
    printMultivariant(index),
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=900,AVERAGE-BANDWIDTH=800,CODECS="avc1.64001e,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=25.000
360p/main.m3u8
`,
  )
})
