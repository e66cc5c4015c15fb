import { statfs } from 'node:fs/promises'
import { framesPerGop } from '@continuity/core/media/house-format'
import type { Gain } from '@continuity/core/packaging/loudness'
import { DURATION_MAXIMUM_MS, type MediaFacts } from '@continuity/core/packaging/media-facts'
import { packageCommand } from '@continuity/core/packaging/package-command'
import { createStretchReader, type Stretch } from '@continuity/core/packaging/propose-cue-points'
import { readProgress, shareOf } from '@continuity/core/packaging/read-progress'
import { blame } from './blame.ts'
import { LOUDNESS_FILE } from './measure-sound.ts'
import { DiskFull, MediaRejected } from './media-rejected.ts'
import type { PackageFileOptions } from './package-file-options.ts'
import { emptyFolder } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { encodingLimits } from './program-limits.ts'

/** With less free space than this, the next seconds of all rungs may not fit. */
const ROOM_LEAST_BYTES = 50_000_000

export interface Encoded {
  readonly frames: number
  /** Where the picture is black. */
  readonly blacks: readonly Stretch[]
}

/**
 * Makes all segments and stills.
 *
 * The duration that a file states may be wrong, so the frames are counted by the encoder. A video that turns out to be
 * shorter than a GOP is encoded again, padded.
 */
export async function encode(deps: PackagingDeps, options: PackageFileOptions, gain: Gain): Promise<Encoded> {
  const encoded = await encodeOnce(deps, options, gain, undefined)
  if (encoded.frames === 0) throw new MediaRejected('media.empty', 'The video of the file has no frames.')
  const least = framesPerGop(options.format.frameRate)
  return encoded.frames < least ? encodeOnce(deps, options, gain, least) : encoded
}

async function encodeOnce(
  { runProgram }: PackagingDeps,
  options: PackageFileOptions,
  gain: Gain,
  padToFrames: number | undefined,
): Promise<Encoded> {
  const { format, facts, folder, ladder, signal, onProgress } = options
  const mostMs = longestOf(facts)
  await emptyFolder(folder, ladder, LOUDNESS_FILE)
  const stop = new AbortController()
  const reader = createStretchReader('black')
  let frames = 0
  const onLine = (line: string) => {
    reader.read(line)
    const progress = readProgress(line)
    if (progress?.kind === 'frames') frames = progress.frames
    if (progress?.kind !== 'time') return
    onProgress(shareOf(progress.outMs, facts.durationMs))
    if (progress.outMs > mostMs) stop.abort(longerThanStated())
    void requireRoom(folder).catch((error: unknown) => stop.abort(error))
  }
  const command = packageCommand({ ...options, segmentMs: format.segmentMs, gain, padToFrames })
  const limits = encodingLimits(mostMs, ladder, folder)
  const encoded = runProgram({ ...command, limits, signal: AbortSignal.any([signal, stop.signal]), onLine })
  await blame(encoded, 'media.damaged', 'The video of the file cannot be decoded.').catch(
    (error: unknown) => {
      throw stop.signal.aborted ? stop.signal.reason : error
    },
  )
  if ((frames / format.frameRate) * 1_000 > mostMs) throw longerThanStated()
  return { frames, blacks: reader.stretches() }
}

/**
 * A file is not encoded much further than its stated duration: with a timestamp far ahead, a few bytes can make a day of
 * frames.
 */
function longestOf({ durationMs }: MediaFacts): number {
  return Math.min(DURATION_MAXIMUM_MS, durationMs === null ? DURATION_MAXIMUM_MS : durationMs * 1.1 + 30_000)
}

const longerThanStated = () =>
  new MediaRejected('media.longer_than_told', 'The video is much longer than the file states.')

/** ffmpeg does not notice a full disk, and would encode for hours into nothing. */
async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM_LEAST_BYTES) throw new DiskFull('There is no room on the disk.')
}
