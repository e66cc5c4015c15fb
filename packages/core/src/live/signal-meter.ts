import { framesPerSegment, type HouseFormat } from '../packaging/house-format.ts'

/** What the picture and the sound of one segment are like. */
export interface SegmentSignal {
  readonly isBlack: boolean
  /** Nothing moves, and it is not black. */
  readonly isFrozen: boolean
  readonly isSilent: boolean
  /** K-weighted, over the whole segment and not gated; null where there was no sound to measure. */
  readonly loudnessLufs: number | null
}

/** Divides a segment at both frame rates: 5 or 6 samples of 3.2 s. */
const SAMPLE_FRAMES = 16
/** The momentary loudness is of 400 ms (EBU Tech 3341), of which 3.2 s are a whole number. */
const BLOCK_MS = 400
/** ebur128 measures every 100 ms; each fourth measurement covers a block that no other does. */
const STEPS_PER_BLOCK = 4

const BLACK_PERCENT = 98
/** Luma from 16 on is the picture's; noise and compression lift black by a few steps. */
const BLACK_LUMA = 32
/**
 * By how much the brightness of one of 128 x 72 fields changes at most while nothing moves. A frozen picture at 300 kbit/s
 * reached 7, a clock 24 pixels high in 720 lines never less than 28.
 */
const STILL_LUMA = 12
/** Speech and music are far above it. */
const SILENT_LUFS = -60
/** Nothing below counts as sound (the absolute gate of ITU-R BS.1770). */
const LOUDNESS_FLOOR_LUFS = -70

const keys = {
  black: 'lavfi.blackframe.pblack',
  change: 'lavfi.signalstats.YMAX',
  loudness: 'lavfi.r128.M',
} as const

const printed = (key: string) => `print:key=${key}:file=-:direct=1`

/** Measures frames of the house's rate. Two small pictures a second cost a thousandth of a core. */
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

/** Measures sound that begins at 0 and has no holes. */
export const SOUND_METER = [
  'ebur128=metadata=1',
  `aselect='eq(mod(n,${STEPS_PER_BLOCK}),${STEPS_PER_BLOCK - 1})'`,
  `ametadata=${printed(keys.loudness)}`,
  'anullsink',
].join(',')

/** Reads what both filters print, which is in order for each of them but not for both together. */
export interface SignalMeter {
  read(line: string): void
  /** The signal of a segment, whose measurements and all earlier ones are then dropped. */
  take(number: number): SegmentSignal
}

type Samples = Record<keyof typeof keys, number[]>

export function createSignalMeter({
  frameRate,
  segmentMs,
}: Pick<HouseFormat, 'frameRate' | 'segmentMs'>): SignalMeter {
  const pictures = framesPerSegment(frameRate, segmentMs) / SAMPLE_FRAMES
  const perSegment = { black: pictures, change: pictures, loudness: segmentMs / BLOCK_MS }
  // A change is between two pictures: there is none at the first.
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

/** Of stretches of the same length: the mean of their power. */
export function meanLoudness(lufs: readonly number[]): number {
  const power = lufs.reduce((sum, value) => sum + 10 ** (value / 10), 0) / lufs.length
  return Math.max(LOUDNESS_FLOOR_LUFS, 10 * Math.log10(power))
}

/**
 * Over slots as ITU-R BS.1770 has it over blocks: without those that are silent, and then without those that are 10 LU below
 * the rest. Null where nothing was heard.
 */
export function integratedLoudness(lufs: readonly number[]): number | null {
  const heard = lufs.filter((value) => value > LOUDNESS_FLOOR_LUFS)
  if (heard.length === 0) return null
  const gateLufs = meanLoudness(heard) - 10
  return meanLoudness(heard.filter((value) => value > gateLufs))
}
