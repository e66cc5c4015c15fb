import { type FrameRate, targetDurationOf } from '@continuity/core/media/house-format'
import type { Ladder, Rung } from '@continuity/core/media/ladder'
import type { IndexedRung } from '@continuity/core/media/segment-index'

/** Encoder settings relative to the mean rate: `maxrate` 1.2 times and `bufsize` 2 s of it, see core/packaging. */
const PEAK_RATE = 1.2
const BUFFER_SECONDS = 2

/**
 * Overhead of a transport stream: 4 bytes in 188, and tables, timestamps and stuffing. The latter took 32 to 40 kbit/s in
 * renditions from 180p to 720p; the rest allows for an encoder that misses its mean rate.
 */
const PACKET_OVERHEAD = 188 / 184
const STUFFING_KBPS = 64

/**
 * The rungs of a channel, with rates that no asset in it exceeds.
 *
 * BANDWIDTH is the peak over any interval of half a target duration or more (rfc8216bis §4.4.6.2). In such an interval the
 * buffer model allows the encoder its maximum rate plus its whole buffer once. Noise after black, the worst case found,
 * takes 1.85 times the mean for 1.6 s and 1.5 times for 3.2 s.
 */
export const announceRungs = (
  ladder: Ladder,
  frameRate: FrameRate,
  segmentMs: 3_200 | 6_400,
): readonly IndexedRung[] => ladder.map((rung) => announceRung(rung, frameRate, targetDurationOf(segmentMs)))

function announceRung(rung: Rung, frameRate: FrameRate, targetSeconds: number): IndexedRung {
  const { name, width, height, videoKbps, audioKbps } = rung
  const peakKbps = videoKbps * (PEAK_RATE + BUFFER_SECONDS / (targetSeconds / 2))
  return {
    name,
    width,
    height,
    bandwidth: bitsPerSecond(peakKbps + audioKbps),
    averageBandwidth: bitsPerSecond(videoKbps + audioKbps),
    codecs: `avc1.6400${levelOf(rung, frameRate).toString(16).padStart(2, '0')},mp4a.40.2`,
  }
}

const bitsPerSecond = (kbps: number): number => Math.ceil((kbps + STUFFING_KBPS) * PACKET_OVERHEAD) * 1_000

/** H.264, Table A-1: macroblocks per second and per frame, kbit/s of the peak and kbit of the buffer. */
const levels = [
  [10, 1_485, 99, 64, 175],
  [11, 3_000, 396, 192, 500],
  [12, 6_000, 396, 384, 1_000],
  [13, 11_880, 396, 768, 2_000],
  [20, 11_880, 396, 2_000, 2_000],
  [21, 19_800, 792, 4_000, 4_000],
  [22, 20_250, 1_620, 4_000, 4_000],
  [30, 40_500, 1_620, 10_000, 10_000],
  [31, 108_000, 3_600, 14_000, 14_000],
  [32, 216_000, 5_120, 20_000, 20_000],
  [40, 245_760, 8_192, 20_000, 25_000],
  [41, 245_760, 8_192, 50_000, 62_500],
  [42, 522_240, 8_704, 50_000, 62_500],
  [50, 589_824, 22_080, 135_000, 135_000],
  [51, 983_040, 36_864, 240_000, 240_000],
] as const

/** Factor of the High profile for the last two columns. */
const HIGH = 1.25

/**
 * The level that the encoder chooses: the first whose bounds are met. Assumes up to four reference frames, which
 * every preset but `slow` observes.
 */
function levelOf({ width, height, videoKbps }: Rung, frameRate: FrameRate): number {
  const frame = Math.ceil(width / 16) * Math.ceil(height / 16)
  const level = levels.find(
    ([, blocksASecond, blocksAFrame, kbps, bufferKbit]) =>
      frame * frameRate <= blocksASecond &&
      frame <= blocksAFrame &&
      videoKbps * PEAK_RATE <= kbps * HIGH &&
      videoKbps * BUFFER_SECONDS <= bufferKbit * HIGH,
  )
  return (level ?? levels.at(-1)!)[0]
}
