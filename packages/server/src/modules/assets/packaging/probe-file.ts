import { durationCommand, probeCommand } from '@continuity/core/packaging/commands'
import { DURATION_MAXIMUM_MS, type MediaFacts } from '@continuity/core/packaging/media-facts'
import { readProbe } from '@continuity/core/packaging/read-probe'
import { readProgress } from '@continuity/core/packaging/read-progress'
import { blame } from './blame.ts'
import { MediaRejected } from './media-rejected.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { readingLimits, smallLimits } from './program-limits.ts'

/** Probes a file. One that is not a usable video is rejected. */
export async function probeFile(deps: PackagingDeps, file: string, signal: AbortSignal): Promise<MediaFacts> {
  const { stdout } = await blame(
    deps.runProgram({ ...probeCommand(file), limits: smallLimits, signal }),
    'media.unreadable',
    'The file is not a video that can be read.',
  )
  const result = readProbe(stdout)
  if (result.kind === 'rejected') throw new MediaRejected(result.code, result.message)
  const { facts } = result
  return facts.durationMs === null
    ? { ...facts, durationMs: await measure(deps, file, facts, signal) }
    : facts
}

/**
 * Measures the duration of a file that does not state it, such as a recording of a live stream. Three of its frames can be
 * a day apart, and encoding would be the expensive way to find out.
 */
async function measure(
  { runProgram }: PackagingDeps,
  file: string,
  { video }: MediaFacts,
  signal: AbortSignal,
): Promise<number | null> {
  let durationMs = 0
  const onLine = (line: string) => {
    const progress = readProgress(line)
    if (progress?.kind === 'time') durationMs = progress.outMs
  }
  const limits = readingLimits(DURATION_MAXIMUM_MS)
  await blame(
    runProgram({ ...durationCommand(file, video), limits, signal, onLine }),
    'media.damaged',
    'The video of the file cannot be read to its end.',
  )
  if (durationMs > DURATION_MAXIMUM_MS) {
    throw new MediaRejected('media.too_long', 'The file is longer than 24 hours.')
  }
  return durationMs === 0 ? null : durationMs
}
