import { framesPerSegment, type HouseFormat } from './house-format.ts'

/** Measurements of the picture and the sound of one segment. */
export interface SegmentSignal {
  readonly isBlack: boolean
  /** Nothing moves, and it is not black. */
  readonly isFrozen: boolean
  readonly isSilent: boolean
  /** K-weighted, over the whole segment and not gated; null if there was no sound to measure. */
  readonly loudnessLufs: number | null
}

/** Divides a segment at both frame rates: 5 or 6 samples per 3.2 s. */
const SAMPLE_FRAMES = 16
/** Momentary loudness has blocks of 400 ms (EBU Tech 3341), which divide 3.2 s. */
const BLOCK_MS = 400
/** ebur128 measures every 100 ms; every fourth measurement covers a separate block. */
const STEPS_PER_BLOCK = 4

const BLACK_PERCENT = 98
/** Black has a luma of 16; noise and compression raise it slightly. */
const BLACK_LUMA = 32
/**
 * Largest brightness change of any of 128 x 72 fields while nothing moves. A frozen picture at 300 kbit/s
 * reached 7; a clock 24 pixels high in 720 lines was never below 28.
 */
const STILL_LUMA = 12
/** Speech and music are far above this. */
const SILENT_LUFS = -60
/** Nothing below counts as sound (the absolute gate of ITU-R BS.1770). */
const LOUDNESS_FLOOR_LUFS = -70

const keys = {
  black: 'lavfi.blackframe.pblack',
  change: 'lavfi.signalstats.YMAX',
  loudness: 'lavfi.r128.M',
} as const

const printed = (key: string) => `print:key=${key}:file=-:direct=1`

/**
 * Measures frames at the frame rate of the house format. Two small pictures per second cost a thousandth of a
 * core.
 */
export const PICTURE_METER = [
  `select='not(mod(n,${SAMPLE_FRAMES}))'`,
  'scale=128:72:flags=area',
  `blackframe=amount=0:threshold=${BLACK_LUMA}`,
  `metadata=${printed(keys.black)}`,
  'tblend=all_mode=difference',
  'signalstats',
  `metadata=${printed(keys.change)}`,
  'nullsink',
].join(',')

/** Measures sound that begins at 0 and has no gaps. */
export const SOUND_METER = [
  'ebur128=metadata=1',
  `aselect='eq(mod(n,${STEPS_PER_BLOCK}),${STEPS_PER_BLOCK - 1})'`,
  `ametadata=${printed(keys.loudness)}`,
  'anullsink',
].join(',')

/** Reads the output of both filters, which is ordered for each of them but not between them. */
export interface SignalMeter {
  read(line: string): void
  /** The signal of a segment; its measurements and all earlier ones are then dropped. */
  take(number: number): SegmentSignal
}

type Samples = Record<keyof typeof keys, number[]>

export function createSignalMeter({
  frameRate,
  segmentMs,
}: Pick<HouseFormat, 'frameRate' | 'segmentMs'>): SignalMeter {
  const pictures = framesPerSegment(frameRate, segmentMs) / SAMPLE_FRAMES
  const perSegment = { black: pictures, change: pictures, loudness: segmentMs / BLOCK_MS }
  // A change is between two pictures: the first has none.
  const counted = { black: 0, change: 1, loudness: 0 }
  const segments = new Map<number, Samples>()
  return {
    read(line) {
      const kind = kinds.find((one) => line.startsWith(`${keys[one]}=`))
      if (kind === undefined) return
      const number = Math.floor(counted[kind] / perSegment[kind])
      counted[kind] += 1
      const samples = segments.get(number) ?? { black: [], change: [], loudness: [] }
      segments.set(number, samples)
      samples[kind].push(Number(line.slice(keys[kind].length + 1)))
    },
    take(number) {
      const samples = segments.get(number)
      for (const known of segments.keys()) if (known <= number) segments.delete(known)
      return signalOf(samples ?? { black: [], change: [], loudness: [] })
    },
  }
}

const kinds = Object.keys(keys) as (keyof typeof keys)[]

function signalOf({ black, change, loudness }: Samples): SegmentSignal {
  const isBlack = allOf(black, (percent) => percent >= BLACK_PERCENT)
  return {
    isBlack,
    isFrozen: !isBlack && allOf(change, (luma) => luma < STILL_LUMA),
    isSilent: allOf(loudness, (lufs) => lufs < SILENT_LUFS),
    loudnessLufs: loudness.length === 0 ? null : meanLoudness(loudness),
  }
}

const allOf = (samples: readonly number[], isSo: (sample: number) => boolean): boolean =>
  samples.length > 0 && samples.every(isSo)

/** Of blocks of the same length: the mean of their power. */
export function meanLoudness(lufs: readonly number[]): number {
  const power = lufs.reduce((sum, value) => sum + 10 ** (value / 10), 0) / lufs.length
  return Math.max(LOUDNESS_FLOOR_LUFS, 10 * Math.log10(power))
}

/**
 * Over slots, as ITU-R BS.1770 defines it over blocks: without silence, and then without those 10 LU below the
 * rest. Null if there was no sound.
 */
export function integratedLoudness(lufs: readonly number[]): number | null {
  const audible = lufs.filter((value) => value > LOUDNESS_FLOOR_LUFS)
  if (audible.length === 0) return null
  const gateLufs = meanLoudness(audible) - 10
  return meanLoudness(audible.filter((value) => value > gateLufs))
}
