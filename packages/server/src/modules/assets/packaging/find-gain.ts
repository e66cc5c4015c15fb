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
import { blame } from './blame.ts'
import type { PackageFileOptions } from './package-file-options.ts'
import { writeAtomically } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { readingLimits } from './program-limits.ts'

export const LOUDNESS_FILE = 'loudness.json'

/** After this many corrections a limited signal gets no louder. */
const CORRECTIONS = 3

/** The gain that a file needs. It is cached in the folder, so that the next attempt need not measure again. */
export async function findGain(deps: PackagingDeps, options: PackageFileOptions): Promise<Gain> {
  const { audio } = options.facts
  if (audio === null) return NO_GAIN
  const kept = join(options.folder, LOUDNESS_FILE)
  const known = await readFile(kept, 'utf8').then(parseGain, () => undefined)
  if (known !== undefined) return known
  const gain = await findLimitedGain(options.format.loudnessLufs, (tried) =>
    measure(deps, options, audio, tried),
  )
  await writeAtomically(kept, JSON.stringify(gain))
  return gain
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
): Promise<Loudness | undefined> {
  const limits = readingLimits(facts.durationMs ?? DURATION_MAXIMUM_MS)
  const { stderrTail } = await blame(
    runProgram({ ...loudnessCommand(file, audio, gain), limits, signal }),
    'media.damaged',
    'The sound of the file cannot be decoded.',
  )
  return readLoudness(stderrTail)
}

function parseGain(text: string): Gain | undefined {
  try {
    const { gainDb, isLimited } = JSON.parse(text) as Partial<Gain>
    return Number.isFinite(gainDb) ? { gainDb: Number(gainDb), isLimited: isLimited === true } : undefined
  } catch {
    return undefined
  }
}
