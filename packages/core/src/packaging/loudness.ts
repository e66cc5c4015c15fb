/** How loud a file is, as heard in stereo. */
export interface Loudness {
  readonly integratedLufs: number
  readonly truePeakDb: number
}

/** What brings a file to the wished loudness. */
export interface Gain {
  readonly gainDb: number
  /** Peaks would go over the edge, and are held by a limiter. */
  readonly isLimited: boolean
}

export const NO_GAIN: Gain = { gainDb: 0, isLimited: false }

/** Speech and music are far above it; what is below is hiss, which nobody wants to hear amplified. */
export const SILENCE_LUFS = -60

/** A whole film that needs more than this was recorded wrongly, and its noise would come up with it. */
export const GAIN_MAXIMUM_DB = 30

/** EBU R 128 asks for true peaks of -1 at most; AAC adds some of its own. */
const PEAK_MAXIMUM_DB = -2

/** Nobody hears less. */
const NEAR_ENOUGH_LU = 0.3

/** Reads the summary that ffmpeg's ebur128 leaves at the end of its log. Undefined where nothing was heard. */
export function readLoudness(log: string): Loudness | undefined {
  // A file can write anything into the log by its title; the summary is behind all that.
  const summary = log.slice(log.lastIndexOf('Integrated loudness:'))
  const integratedLufs = Number(/^\s*I:\s+(-?[\d.]+) LUFS/m.exec(summary)?.[1])
  const truePeakDb = Number(/^\s*Peak:\s+(-?[\d.]+) dBFS/m.exec(summary)?.[1])
  if (!Number.isFinite(integratedLufs) || !Number.isFinite(truePeakDb)) return undefined
  return { integratedLufs, truePeakDb }
}

/** One gain for the whole file, so that quiet scenes stay quiet beside loud ones. */
export function gainFor(loudness: Loudness | undefined, targetLufs: number): Gain {
  if (loudness === undefined || loudness.integratedLufs < SILENCE_LUFS) return NO_GAIN
  const gainDb = Math.min(GAIN_MAXIMUM_DB, targetLufs - loudness.integratedLufs)
  return { gainDb, isLimited: loudness.truePeakDb + gainDb > PEAK_MAXIMUM_DB }
}

/** The gain after it was listened to: a limiter takes away some of the loudness. Undefined where it will do. */
export function correctGain(gain: Gain, heard: Loudness | undefined, targetLufs: number): Gain | undefined {
  const lackingLu = targetLufs - (heard?.integratedLufs ?? targetLufs)
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
