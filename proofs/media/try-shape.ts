import { join } from 'node:path'
import type { HouseFormat } from '@continuity/core/media/house-format'
import { readLadder } from '@continuity/core/media/ladder'
import type { MediaFacts } from '@continuity/core/packaging/media-facts'
import { packageFile } from '../../packages/server/src/modules/assets/packaging/package-file.ts'
import type { PackagingDeps } from '../../packages/server/src/modules/assets/packaging/packaging-deps.ts'
import { probeFile } from '../../packages/server/src/modules/assets/packaging/probe-file.ts'
import { type CheckedPackage, checkPackage } from './check-package.ts'
import { measureDisc, measureFirstSound, measureLufs } from './measure-media.ts'
import type { Shape } from './shapes.ts'

/** The result of checking the package of a shape. */
export interface TriedShape extends CheckedPackage {
  readonly loudnessMeasured: number
}

/** Packages a shape into a folder, and checks the package. */
export async function tryShape(
  deps: PackagingDeps,
  { name, file, expected }: Shape,
  folder: string,
  format: HouseFormat,
): Promise<TriedShape> {
  const read = readLadder('128x72@120+64,240x136@300+96')
  if (read.kind === 'rejected') throw new Error(read.faults.join(', '))
  const { signal } = new AbortController()
  const facts = await probeFile(deps, file, signal)
  const options = {
    file,
    facts,
    folder,
    format,
    ladder: read.ladder,
    preset: 'ultrafast',
    signal,
  }
  const { durationTicks } = await packageFile(deps, { ...options, onProgress: () => {} })
  const checked = await checkPackage(folder)
  const faults = [
    ...checked.faults,
    ...checkFacts(facts, expected),
    ...checkLength(durationTicks / 90_000, expected.seconds),
    ...(await checkPictureAndSound(join(folder, '136p', 'main.m3u8'), expected, format)),
  ]
  return {
    ...checked,
    loudnessMeasured: hasLoudness(expected) ? 1 : 0,
    faults: faults.map((fault) => `${name}: ${fault}`),
  }
}

/** Loudness cannot be measured in less than three seconds. */
export const hasLoudness = ({ channels, seconds }: Shape['expected']): boolean =>
  channels !== null && seconds > 3

function checkFacts({ video, audio }: MediaFacts, expected: Shape['expected']): string[] {
  const { width, height, rotation, isHdr, isInterlaced } = video
  const found = { width, height, rotation, isHdr, isInterlaced, channels: audio?.channels ?? null }
  return Object.entries(found).flatMap(([fact, value]) =>
    value === expected[fact as keyof typeof found] ? [] : [`the probe returned ${fact} ${value}`],
  )
}

/** Frame rates are converted and containers round, so a few frames more or less are allowed. */
const checkLength = (seconds: number, expected: number): string[] =>
  Math.abs(seconds - Math.max(1.6, expected)) < 0.1 ? [] : [`lasts ${seconds} s`]

async function checkPictureAndSound(
  playlist: string,
  expected: Shape['expected'],
  { loudnessLufs }: HouseFormat,
): Promise<string[]> {
  const { wide, high } = await measureDisc(playlist, { width: 240, height: 136 })
  const lufs = hasLoudness(expected) ? await measureLufs(playlist) : loudnessLufs
  const soundFrom = hasLoudness(expected) ? await measureFirstSound(playlist) : expected.soundFrom
  return [
    ...(wide > 40 && Math.abs(wide - high) <= 2 ? [] : [`the disc is ${wide} x ${high}`]),
    ...(Math.abs(soundFrom - expected.soundFrom) < 0.06 ? [] : [`sound begins at ${soundFrom} s`]),
    ...(Math.abs(lufs - loudnessLufs) <= 1 ? [] : [`has ${lufs} LUFS`]),
  ]
}
