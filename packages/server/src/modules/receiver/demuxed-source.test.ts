import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findBeeps, soundDelays } from '@continuity/test-source/find-beeps'
import { anEncodedSource, filesOf, type Passage } from './testing/an-encoded-source.ts'
import { type DemuxedShape, makeDemuxed } from './testing/demuxed-media.ts'

const assertTogether = (delays: readonly number[], least: number) => {
  assert.ok(delays.length >= least, `${delays.length} beeps`)
  assert.ok(
    delays.every((ms) => Math.abs(ms) <= 40),
    delays.join(' '),
  )
}

const lengthsOf = (passages: readonly Passage[]) => passages.map(({ segments }) => segments)

const WRAP_SECONDS = 2 ** 33 / 90_000

describe('a source with demuxed audio', { concurrency: 3 }, () => {
  for (const shape of [
    { video: 'ts', audio: 'ts', videoSeconds: 2, audioSeconds: 3, startSeconds: WRAP_SECONDS - 10 },
    { video: 'ts', audio: 'packed', videoSeconds: 2, audioSeconds: 3, startSeconds: WRAP_SECONDS - 10 },
    { video: 'fmp4', audio: 'fmp4', videoSeconds: 2, audioSeconds: 3, startSeconds: 100_000 },
    { video: 'fmp4', audio: 'packed', videoSeconds: 2, audioSeconds: 6, startSeconds: 10 },
  ] satisfies readonly DemuxedShape[]) {
    const { video, audio, audioSeconds, startSeconds } = shape
    const title = `${video} with ${audio} of ${audioSeconds} s from ${Math.round(startSeconds)} s on`
    test(`${title}: audio and video stay in sync, and lost audio is silence`, async (t) => {
      const made = await makeDemuxed(shape)
      const files = filesOf(made)
      // One or two segments: by default ffmpeg treats a gap of more than ten seconds as a new clock.
      const lost = audioSeconds === 3 ? [4] : [1, 2]
      for (const at of lost) files[made.audio.segments[at]!.name] = undefined

      const { end, passages } = await anEncodedSource(t, files)

      assert.equal(await end(), 'source.not_live')
      // Seven whole slots of 24 s.
      assert.deepEqual(lengthsOf(passages), [7])
      const beeps = await findBeeps(passages[0]!.file)
      const lostSeconds = audioSeconds * lost.length
      assertTogether(soundDelays(beeps), 20 - lostSeconds)
      assert.ok(beeps.flashesMs.length - beeps.beepsMs.length >= lostSeconds - 1, JSON.stringify(beeps))
    })
  }

  test('a new clock after a discontinuity is a break of both tracks', async (t) => {
    const one = await makeDemuxed({ ...plain, prefix: 'one-' })
    const other = await makeDemuxed({ ...plain, startSeconds: 9_000, prefix: 'other-' })

    const { end, passages } = await anEncodedSource(t, filesOf(one, other))

    assert.equal(await end(), 'source.not_live')
    assert.deepEqual(lengthsOf(passages), [7, 7])
    for (const { file } of passages) assertTogether(soundDelays(await findBeeps(file)), 20)
  })

  test('a lost video segment is a break, after which audio starts at once', async (t) => {
    const made = await makeDemuxed({ ...plain, audioSeconds: 6 })
    const lost = made.video.segments[4]!.name

    const { end, passages } = await anEncodedSource(t, { ...filesOf(made), [lost]: undefined })

    assert.equal(await end(), 'source.not_live')
    // 8 s before it and 14 s after it.
    assert.deepEqual(lengthsOf(passages), [2, 4])
    const [before, after] = await Promise.all(passages.map(({ file }) => findBeeps(file)))
    assertTogether(soundDelays(before!), 5)
    assertTogether(soundDelays(after!), after!.flashesMs.length - 1)
    assert.ok(after!.flashesMs.length >= 11)
  })
})

const plain: DemuxedShape = { video: 'ts', audio: 'ts', videoSeconds: 2, audioSeconds: 3, startSeconds: 100 }
