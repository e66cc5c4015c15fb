import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { ticksPerFrame } from '@continuity/core/media/house-format'
import { DEFAULT_LADDER } from '@continuity/core/media/ladder'
import { segmentName } from '@continuity/core/media/segment-index'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import { markSegment } from '../../../platform/crypto/mark-segment.ts'
import { measureRungs } from './measure-rungs.ts'

const rung = DEFAULT_LADDER[0]!

/** A packet with flags in front of what it carries. */
const aPacket = (pid: number, payload: readonly number[]): Buffer =>
  Buffer.concat([
    Buffer.from([0x47, 0x41, pid, 0x30, 1, 0x40, ...payload]),
    Buffer.alloc(182 - payload.length),
  ])

/** A segment of one frame in one packet, and of sound in another. */
const aSegment = (payload: readonly number[]): Buffer => Buffer.concat([aPacket(0, payload), aPacket(1, [])])

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

  // Two packets in a thirtieth of a second.
  const bandwidth = 2 * 188 * 8 * 30
  const { name, width, height } = rung
  const codecs = 'avc1.64001f,mp4a.40.2'
  assert.deepEqual(measured, [{ name, width, height, bandwidth, averageBandwidth: bandwidth, codecs }])
})

test('a segment is marked as one that may follow any other', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-rungs-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'a.ts')
  const segment = aSegment([])
  await writeFile(file, segment)

  assert.equal(await markSegment(file, segment), true)

  const marked = await readFile(file)
  assert.equal(marked.length, segment.length)
  assert.deepEqual([marked[5], marked[188 + 5]], [0xc0, 0xc0])
  const others = [...marked.entries()].filter(([at, byte]) => byte !== segment[at])
  assert.equal(others.length, 2)
  assert.equal(await markSegment(file, segment.subarray(0, 188)), false)
})

test('a rung whose first segment has no parameter set is rejected', async (t) => {
  await assert.rejects(measure(t, aSegment([])), {
    name: 'TornPackage',
    message: `${rung.name}/${segmentName(0)} was not written as it should have been`,
  })
})
