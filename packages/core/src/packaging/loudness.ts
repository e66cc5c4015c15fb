/** The loudness of a file, in stereo. */
export interface Loudness {
  readonly integratedLufs: number
  readonly truePeakDb: number
}

/** The gain that brings a file to the target loudness. */
export interface Gain {
  readonly gainDb: number
  /** Peaks would exceed the maximum, and are limited. */
  readonly isLimited: boolean
}

export const NO_GAIN: Gain = { gainDb: 0, isLimited: false }

/** Speech and music are far above this; what is below is noise, which must not be amplified. */
export const SILENCE_LUFS = -60

/** A film that needs more was recorded wrongly, and its noise would be amplified too. */
export const GAIN_MAXIMUM_DB = 30

/** EBU R 128 allows true peaks of -1; AAC adds some of its own. */
const PEAK_MAXIMUM_DB = -2

/** Smaller differences are inaudible. */
const NEAR_ENOUGH_LU = 0.3

/** Reads the summary at the end of the log of ffmpeg's ebur128. Undefined if there was no sound. */
export function readLoudness(log: string): Loudness | undefined {
  // A file can write anything into the log by its title; the summary comes after that.
  const summary = log.slice(log.lastIndexOf('Integrated loudness:'))
  const integratedLufs = Number(/^\s*I:\s+(-?[\d.]+) LUFS/m.exec(summary)?.[1])
  const truePeakDb = Number(/^\s*Peak:\s+(-?[\d.]+) dBFS/m.exec(summary)?.[1])
  if (!Number.isFinite(integratedLufs) || !Number.isFinite(truePeakDb)) return undefined
  return { integratedLufs, truePeakDb }
}

/** One gain for the whole file, so that quiet scenes stay quiet relative to loud ones. */
export function gainFor(loudness: Loudness | undefined, targetLufs: number): Gain {
  if (loudness === undefined || loudness.integratedLufs < SILENCE_LUFS) return NO_GAIN
  const gainDb = Math.min(GAIN_MAXIMUM_DB, targetLufs - loudness.integratedLufs)
  return { gainDb, isLimited: loudness.truePeakDb + gainDb > PEAK_MAXIMUM_DB }
}

/**
 * Corrects the gain after measuring its result: a limiter reduces the loudness. Undefined if it is close
 * enough.
 */
export function correctGain(
  gain: Gain,
  measured: Loudness | undefined,
  targetLufs: number,
): Gain | undefined {
  const lackingLu = targetLufs - (measured?.integratedLufs ?? targetLufs)
  const gainDb = Math.min(GAIN_MAXIMUM_DB, gain.gainDb + lackingLu)
  return Math.abs(gainDb - gain.gainDb) < NEAR_ENOUGH_LU ? undefined : { ...gain, gainDb }
}

export const limiter = `alimiter=limit=${PEAK_MAXIMUM_DB}dB:attack=5:release=80:level=false:latency=true`

export function gainFilters({ gainDb, isLimited }: Gain): readonly string[] {
  return [
    ...(gainDb === 0 ? [] : [`volume=${gainDb.toFixed(2)}dB:precision=float`]),
    ...(isLimited ? [limiter] : []),
  ]
}
