import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { loudnessCommand } from '@continuity/core/packaging/commands'
import {
  correctGain,
  type Gain,
  gainFor,
  type Loudness,
  NO_GAIN,
  readLoudness,
} from '@continuity/core/packaging/loudness'
import { type AudioFacts, DURATION_MAXIMUM_MS } from '@continuity/core/packaging/media-facts'
import {
  createStretchReader,
  SILENCE_METER,
  type Stretch,
} from '@continuity/core/packaging/propose-cue-points'
import { blame } from './blame.ts'
import type { PackageFileOptions } from './package-file-options.ts'
import { writeAtomically } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { readingLimits } from './program-limits.ts'

export const LOUDNESS_FILE = 'loudness.json'

/** After this many corrections a limited signal gets no louder. */
const CORRECTIONS = 3

export interface MeasuredSound {
  /** The gain that the file needs. */
  readonly gain: Gain
  /** Null if it has no sound at all. */
  readonly silences: readonly Stretch[] | null
}

/** Measures the sound of a file. The result is cached in the folder, so that the next attempt need not measure again. */
export async function measureSound(deps: PackagingDeps, options: PackageFileOptions): Promise<MeasuredSound> {
  const { audio } = options.facts
  if (audio === null) return { gain: NO_GAIN, silences: null }
  const kept = join(options.folder, LOUDNESS_FILE)
  const known = await readFile(kept, 'utf8').then(parseSound, () => undefined)
  if (known !== undefined) return known
  const reader = createStretchReader('silence')
  const gain = await findLimitedGain(options.format.loudnessLufs, (tried) =>
    // The first measurement is without a gain: only that one has the silence of the file.
    measure(deps, options, audio, tried, tried === NO_GAIN ? reader.read : undefined),
  )
  const sound = { gain, silences: reader.stretches() }
  await writeAtomically(kept, JSON.stringify(sound))
  return sound
}

type Measure = (gain: Gain) => Promise<Loudness | undefined>

/** A limiter reduces loudness too, by an amount that only a measurement shows. */
async function findLimitedGain(targetLufs: number, measureWith: Measure): Promise<Gain> {
  let gain = gainFor(await measureWith(NO_GAIN), targetLufs)
  for (let times = 0; gain.isLimited && times < CORRECTIONS; times += 1) {
    const better = correctGain(gain, await measureWith(gain), targetLufs)
    if (better === undefined) break
    gain = better
  }
  return gain
}

async function measure(
  { runProgram }: PackagingDeps,
  { file, facts, signal }: PackageFileOptions,
  audio: AudioFacts,
  gain: Gain,
  onLine: ((line: string) => void) | undefined,
): Promise<Loudness | undefined> {
  const limits = readingLimits(facts.durationMs ?? DURATION_MAXIMUM_MS)
  const command = loudnessCommand(file, audio, gain, onLine === undefined ? [] : SILENCE_METER)
  const { stderrTail } = await blame(
    runProgram({ ...command, limits, signal, ...(onLine === undefined ? {} : { onLine }) }),
    'media.damaged',
    'The sound of the file cannot be decoded.',
  )
  return readLoudness(stderrTail)
}

function parseSound(text: string): MeasuredSound | undefined {
  try {
    const { gain, silences } = JSON.parse(text) as Partial<MeasuredSound>
    return Number.isFinite(gain?.gainDb) && Array.isArray(silences) ? { gain: gain!, silences } : undefined
  } catch {
    return undefined
  }
}
