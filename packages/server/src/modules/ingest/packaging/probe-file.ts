import { durationCommand, probeCommand } from '@continuity/core/packaging/commands'
import { DURATION_MAXIMUM_MS, type MediaFacts } from '@continuity/core/packaging/media-facts'
import { readProbe } from '@continuity/core/packaging/read-probe'
import { readProgress } from '@continuity/core/packaging/read-progress'
import { blame } from './blame.ts'
import { MediaRefused } from './media-refused.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { readingLimits, smallLimits } from './program-limits.ts'

/** What a file is. One that is no video for us is refused. */
export async function probeFile(deps: PackagingDeps, file: string, signal: AbortSignal): Promise<MediaFacts> {
  const { stdout } = await blame(
    deps.runProgram({ ...probeCommand(file), limits: smallLimits, signal }),
    'media.unreadable',
    'The file is not a video that can be read.',
  )
  const result = readProbe(stdout)
  if (result.kind === 'refused') throw new MediaRefused(result.code, result.message)
  const { facts } = result
  return facts.durationMs === null
    ? { ...facts, durationMs: await measure(deps, file, facts, signal) }
    : facts
}

/**
 * How long a file is that does not tell: recordings of live streams are like
 * that. Three frames of it can lie a day apart, and encoding is the expensive
 * way to find out.
 */
async function measure(
  { runProgram }: PackagingDeps,
  file: string,
  { video }: MediaFacts,
  signal: AbortSignal,
): Promise<number | null> {
  let durationMs = 0
  const onLine = (line: string) => {
    const told = readProgress(line)
    if (told?.kind === 'time') durationMs = told.outMs
  }
  const limits = readingLimits(DURATION_MAXIMUM_MS)
  await blame(
    runProgram({ ...durationCommand(file, video), limits, signal, onLine }),
    'media.damaged',
    'The file breaks off where its video should be.',
  )
  if (durationMs > DURATION_MAXIMUM_MS) {
    throw new MediaRefused('media.too_long', 'The file is longer than 24 hours.')
  }
  return durationMs === 0 ? null : durationMs
}
