import { statfs } from 'node:fs/promises'
import { framesPerGop } from '@continuity/core/packaging/house-format'
import type { Gain } from '@continuity/core/packaging/loudness'
import { DURATION_MAXIMUM_MS, type MediaFacts } from '@continuity/core/packaging/media-facts'
import { packageCommand } from '@continuity/core/packaging/package-command'
import { readProgress, shareOf } from '@continuity/core/packaging/read-progress'
import { blame } from './blame.ts'
import { LOUDNESS_FILE } from './find-gain.ts'
import { DiskFull, MediaRefused } from './media-refused.ts'
import type { PackageFileOrder } from './package-file-order.ts'
import { emptyFolder } from './package-folder.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { encodingLimits } from './program-limits.ts'

/** With less room than that, some second of all rungs will not fit any more. */
const ROOM_LEAST_BYTES = 50_000_000

/**
 * Makes all segments and stills, and tells how many frames there are.
 *
 * Only the encoder knows that number: what a file says of its duration may be
 * wrong. So one that turns out to be shorter than a GOP is made again, padded.
 */
export async function encode(deps: PackagingDeps, order: PackageFileOrder, gain: Gain): Promise<number> {
  const frames = await encodeOnce(deps, order, gain, undefined)
  if (frames === 0) throw new MediaRefused('media.empty', 'The video of the file has no frames.')
  const least = framesPerGop(order.format.frameRate)
  return frames < least ? encodeOnce(deps, order, gain, least) : frames
}

async function encodeOnce(
  { runProgram }: PackagingDeps,
  order: PackageFileOrder,
  gain: Gain,
  padToFrames: number | undefined,
): Promise<number> {
  const { format, facts, folder, ladder, signal, onProgress } = order
  const mostMs = longestOf(facts)
  await emptyFolder(folder, ladder, LOUDNESS_FILE)
  const stop = new AbortController()
  let frames = 0
  const onLine = (line: string) => {
    const told = readProgress(line)
    if (told?.kind === 'frames') frames = told.frames
    if (told?.kind !== 'time') return
    onProgress(shareOf(told.outMs, facts.durationMs))
    if (told.outMs > mostMs) stop.abort(longerThanTold())
    void requireRoom(folder).catch((error: unknown) => stop.abort(error))
  }
  const command = packageCommand({ ...order, segmentMs: format.segmentMs, gain, padToFrames })
  const limits = encodingLimits(mostMs, ladder, folder)
  const encoded = runProgram({ ...command, limits, signal: AbortSignal.any([signal, stop.signal]), onLine })
  await blame(encoded, 'media.damaged', 'The video of the file cannot be decoded.').catch(
    (error: unknown) => {
      throw stop.signal.aborted ? stop.signal.reason : error
    },
  )
  if ((frames / format.frameRate) * 1_000 > mostMs) throw longerThanTold()
  return frames
}

/**
 * No file is followed much further than it said. A few bytes can ask for a
 * day of frames by a timestamp far ahead.
 */
function longestOf({ durationMs }: MediaFacts): number {
  return Math.min(DURATION_MAXIMUM_MS, durationMs === null ? DURATION_MAXIMUM_MS : durationMs * 1.1 + 30_000)
}

const longerThanTold = () =>
  new MediaRefused('media.longer_than_told', 'The video is much longer than the file says.')

/** ffmpeg does not notice a full disk, and would encode for hours into nothing. */
async function requireRoom(folder: string): Promise<void> {
  const { bavail, bsize } = await statfs(folder)
  if (bavail * bsize < ROOM_LEAST_BYTES) throw new DiskFull('There is no room on the disk.')
}
