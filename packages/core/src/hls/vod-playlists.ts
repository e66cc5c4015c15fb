import { type FrameRate, targetDurationOf } from '../media/house-format.ts'
import { type IndexedRung, type SegmentIndex, segmentName } from '../media/segment-index.ts'
import { printDuration } from './print-time.ts'

/** The multivariant playlist of a single asset, for playback on demand. */
export function printMultivariant({ rungs, frameRate }: SegmentIndex): string {
  const variants = rungs.flatMap((rung) => [printStreamInf(rung, frameRate), `${rung.name}/main.m3u8`])
  return `${['#EXTM3U', '#EXT-X-VERSION:6', '#EXT-X-INDEPENDENT-SEGMENTS', ...variants].join('\n')}\n`
}

/** The media playlist of each of its rungs: the same for all, because addresses are relative. */
export function printMediaPlaylist({ segments, segmentMs }: SegmentIndex): string {
  const lines = segments.flatMap((ticks, number) => [`#EXTINF:${printDuration(ticks)},`, segmentName(number)])
  return `${[
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-TARGETDURATION:${targetDurationOf(segmentMs)}`,
    '#EXT-X-MEDIA-SEQUENCE:0',
    '#EXT-X-PLAYLIST-TYPE:VOD',
    '#EXT-X-INDEPENDENT-SEGMENTS',
    ...lines,
    '#EXT-X-ENDLIST',
  ].join('\n')}\n`
}

/** The EXT-X-STREAM-INF tag of a rendition. */
export function printStreamInf(rung: IndexedRung, frameRate: FrameRate): string {
  const attributes = [
    `BANDWIDTH=${rung.bandwidth}`,
    `AVERAGE-BANDWIDTH=${rung.averageBandwidth}`,
    `CODECS="${rung.codecs}"`,
    `RESOLUTION=${rung.width}x${rung.height}`,
    `FRAME-RATE=${frameRate}.000`,
  ]
  return `#EXT-X-STREAM-INF:${attributes.join(',')}`
}
