import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type FrameRate, TICKS_PER_SECOND, ticksPerFrame } from '@continuity/core/media/house-format'
import type { Ladder, Rung } from '@continuity/core/media/ladder'
import { type IndexedRung, segmentName } from '@continuity/core/media/segment-index'
import { readCodecs } from '@continuity/core/packaging/avc-codec'
import { followPackets } from '@continuity/core/packaging/follow-packets'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import { markSegment } from '../../../platform/crypto/mark-segment.ts'
import { TornPackage } from './media-rejected.ts'

/** The parameter set is in the first packets of a segment. */
const HEAD_BYTES = 4_096

interface Planned {
  readonly segments: readonly number[]
  readonly frameRate: FrameRate
}

/**
 * Measures the encoded renditions: a multivariant playlist must not state less bandwidth than a segment needs. Every segment
 * is read, because ffmpeg does not report those that it could not write, and marked as one that may follow any other.
 */
export async function measureRungs(
  folder: string,
  ladder: Ladder,
  planned: Planned,
): Promise<readonly IndexedRung[]> {
  const measured: IndexedRung[] = []
  for (const rung of ladder) measured.push(await measureRung(join(folder, rung.name), rung, planned))
  return measured
}

async function measureRung(folder: string, rung: Rung, planned: Planned): Promise<IndexedRung> {
  const { name, width, height } = rung
  const counters = new Map<number, number>()
  let [bandwidth, bytes, ticks, codecs] = [0, 0, 0, '']
  for (const [number, duration] of planned.segments.entries()) {
    const file = join(folder, segmentName(number))
    const segment = await readFile(file)
    if (followPackets(segment, counters) !== duration / ticksPerFrame(planned.frameRate)) {
      throw new TornPackage(`${name}/${segmentName(number)}`)
    }
    if (!(await markSegment(file, segment))) throw new TornPackage(`${name}/${segmentName(number)}`)
    if (number === 0) codecs = readCodecs(segment.subarray(0, HEAD_BYTES)) ?? ''
    bandwidth = Math.max(bandwidth, bitsPerSecond(segment.length, duration))
    bytes += segment.length
    ticks += duration
  }
  await requireEnd(join(folder, UNUSED_PLAYLIST))
  if (codecs === '') throw new TornPackage(`${name}/${segmentName(0)}`)
  return { name, width, height, bandwidth, averageBandwidth: bitsPerSecond(bytes, ticks), codecs }
}

const bitsPerSecond = (bytes: number, ticks: number): number =>
  Math.ceil((bytes * 8 * TICKS_PER_SECOND) / ticks)

/** ffmpeg writes its playlist after the last segment: where the disk was full, the playlist is incomplete. */
async function requireEnd(playlist: string): Promise<void> {
  const text = await readFile(playlist, 'utf8')
  if (!text.trimEnd().endsWith('#EXT-X-ENDLIST')) throw new TornPackage(playlist)
}
