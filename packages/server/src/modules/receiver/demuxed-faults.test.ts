import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { findBeeps, soundDelays } from '@continuity/test-source/find-beeps'
import { anEncodedSource, type Files, filesOf } from './testing/an-encoded-source.ts'
import { listTrack, type MadeSource, makeDemuxed } from './testing/demuxed-media.ts'

const shape = { video: 'ts', audio: 'ts', videoSeconds: 2, audioSeconds: 3, startSeconds: 100 } as const

describe('faulty demuxed audio', { concurrency: 2 }, () => {
  let made: MadeSource
  before(async () => {
    made = await makeDemuxed(shape)
  })

  test('each fault has a code', async (t) => {
    const later = await makeDemuxed({ ...shape, startSeconds: 50_000, prefix: 'later-' })
    const all = listTrack(0, [[made.video, 0, 12]])
    const cases: readonly (readonly [code: string, files: Files])[] = [
      ['source.status', { 'audio.m3u8': undefined }],
      ['source.not_hls', { 'audio.m3u8': '<html>' }],
      ['source.not_live', { 'audio.m3u8': listTrack(0, [[made.audio, 0, 8]], '#EXT-X-ENDLIST\n') }],
      ['source.no_audio', { 'audio.m3u8': all }],
      ['source.no_video', { 'video.m3u8': listTrack(0, [[made.audio, 0, 8]]) }],
      // Audio on another clock without a discontinuity.
      ['source.undecodable', { 'audio.m3u8': listTrack(0, [[later.audio, 0, 8]]), ...later.audio.files }],
    ]
    const found = await Promise.all(
      cases.map(async ([, files]) => (await anEncodedSource(t, { ...filesOf(made), ...files })).end()),
    )

    assert.deepEqual(
      found,
      cases.map(([code]) => code),
    )
  })

  test('missing audio becomes silence, and a break when it returns', async (t) => {
    const { video, audio } = await makeDemuxed({ ...shape, videoSeconds: 1, audioSeconds: 1 })
    // One more segment with every second playlist request; audio is missing while 8 to 16 segments are listed.
    let requests = 0
    let isBack = false
    const listed = () => Math.min(3 + Math.floor(requests / 2), isBack ? 24 : 18)
    const listPicture = () => {
      requests += 1
      return listTrack(0, [[video, 0, listed()]], listed() === 24 ? '#EXT-X-ENDLIST\n' : '')
    }
    const listSound = () => {
      requests += 1
      if (listed() >= 8 && listed() < 16) return undefined
      isBack ||= listed() >= 16
      return listTrack(0, [[audio, 0, listed()]])
    }
    const files: Files = { ...filesOf({ video, audio }), 'video.m3u8': listPicture, 'audio.m3u8': listSound }

    const { end, passages } = await anEncodedSource(t, files)

    assert.equal(await end(), 'source.not_live')
    assert.equal(passages.length, 2)
    for (const { file } of passages) {
      const beeps = await findBeeps(file)
      assert.ok(beeps.beepsMs.length >= 2)
      const delays = soundDelays(beeps)
      assert.ok(
        delays.every((ms) => Math.abs(ms) <= 40),
        delays.join(' '),
      )
    }
    const [before] = passages
    // Some seconds with audio, then video with silence until 16 s: at least four slots.
    assert.ok(before!.segments >= 4, `${before!.segments}`)
    const beeps = await findBeeps(before!.file)
    assert.ok(beeps.flashesMs.length >= beeps.beepsMs.length + 2)
  })
})
