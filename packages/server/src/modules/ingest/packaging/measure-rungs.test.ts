import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ticksPerFrame } from '@continuity/core/packaging/house-format'
import { DEFAULT_LADDER } from '@continuity/core/packaging/ladder'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import { segmentName } from '@continuity/core/packaging/segment-index'
import { measureRungs } from './measure-rungs.ts'

const rung = DEFAULT_LADDER[0]!

/** A segment of one frame in one packet. */
const aSegment = (payload: readonly number[]): Buffer =>
  Buffer.concat([Buffer.from([0x47, 0x41, 0x00, 0x10, ...payload]), Buffer.alloc(184 - payload.length)])

/** Measures a package of one rung with one segment. */
async function measure(t: TestContext, segment: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-rungs-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  await mkdir(join(folder, rung.name))
  await writeFile(join(folder, rung.name, segmentName(0)), segment)
  await writeFile(join(folder, rung.name, UNUSED_PLAYLIST), '#EXTM3U\n#EXT-X-ENDLIST\n')
  return measureRungs(folder, [rung], { segments: [ticksPerFrame(30)], frameRate: 30 })
}

test('a rung is measured with its bandwidth and the codecs of its first segment', async (t) => {
  const measured = await measure(t, aSegment([0, 0, 1, 0x67, 0x64, 0x00, 0x1f]))

  // 188 bytes in a thirtieth of a second.
  const bandwidth = 188 * 8 * 30
  const { name, width, height } = rung
  const codecs = 'avc1.64001f,mp4a.40.2'
  assert.deepEqual(measured, [{ name, width, height, bandwidth, averageBandwidth: bandwidth, codecs }])
})

test('a rung whose first segment has no parameter set is rejected', async (t) => {
  await assert.rejects(measure(t, aSegment([])), {
    name: 'TornPackage',
    message: `${rung.name}/${segmentName(0)} was not written as it should have been`,
  })
})
