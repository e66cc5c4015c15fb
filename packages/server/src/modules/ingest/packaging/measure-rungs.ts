import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readCodecs } from '@continuity/core/packaging/avc-codec'
import { followPackets } from '@continuity/core/packaging/follow-packets'
import { type FrameRate, TICKS_PER_SECOND, ticksPerFrame } from '@continuity/core/packaging/house-format'
import type { Ladder, Rung } from '@continuity/core/packaging/ladder'
import { UNUSED_PLAYLIST } from '@continuity/core/packaging/package-command'
import { type IndexedRung, segmentName } from '@continuity/core/packaging/segment-index'
import { markSegment } from '../../../platform/mark-segment.ts'
import { TornPackage } from './media-refused.ts'

/** The parameter set stands in the first packets of a segment. */
const HEAD_BYTES = 4_096

interface Planned {
  readonly segments: readonly number[]
  readonly frameRate: FrameRate
}

/**
 * What the renditions have become: a multivariant playlist must not promise
 * less than a segment needs. Every segment is read on the way, because ffmpeg
 * is silent about those that it could not write, and marked as one that may follow any other.
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

/** ffmpeg writes its playlist after the last segment; where that had no room, neither has this. */
async function requireEnd(playlist: string): Promise<void> {
  const text = await readFile(playlist, 'utf8')
  if (!text.trimEnd().endsWith('#EXT-X-ENDLIST')) throw new TornPackage(playlist)
}
