import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { IndexedRung } from '../media/segment-index.ts'
import { printChannel } from './multivariant.ts'

const hd: IndexedRung = {
  name: '720p',
  width: 1_280,
  height: 720,
  bandwidth: 3_400_000,
  averageBandwidth: 2_800_000,
  codecs: 'avc1.64001f,mp4a.40.2',
}
const sd: IndexedRung = {
  ...hd,
  name: '360p',
  width: 640,
  height: 360,
  bandwidth: 900_000,
  averageBandwidth: 700_000,
}

test('a multivariant playlist lists the renditions in order, each with its attributes', () => {
  const text = printChannel([hd, sd], 30, '')

  assert.equal(
    text,
    `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-STREAM-INF:BANDWIDTH=3400000,AVERAGE-BANDWIDTH=2800000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=1280x720,FRAME-RATE=30.000
720p.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=900000,AVERAGE-BANDWIDTH=700000,CODECS="avc1.64001f,mp4a.40.2",RESOLUTION=640x360,FRAME-RATE=30.000
360p.m3u8
`,
  )
})

test('the query of a viewer is appended to the address of every rendition', () => {
  const lines = printChannel([hd, sd], 25, '?sid=s1').split('\n')

  assert.deepEqual(
    lines.filter((line) => line !== '' && !line.startsWith('#')),
    ['720p.m3u8?sid=s1', '360p.m3u8?sid=s1'],
  )
})

test('the frame rate is that of the house format', () => {
  assert.match(printChannel([hd], 25, ''), /FRAME-RATE=25\.000/)
})
