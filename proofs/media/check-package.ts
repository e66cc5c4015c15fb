import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { runTool } from '@continuity/dev/run-tool'
import { checkRendition } from './check-rendition.ts'
import { fetchPackage } from './fetch-package.ts'
import { readVariants } from './read-playlists.ts'

/** The result of checking a package, with its faults. */
export interface CheckedPackage {
  readonly faults: readonly string[]
  readonly renditions: number
  readonly segments: number
  /** Of all segments. */
  readonly bytes: number
  /** Video frames that ffmpeg decoded, over all renditions. */
  readonly frames: number
}

/**
 * Checks a package completely: a folder, or the http address of its main.m3u8.
 *
 * Shares no code with the packager: the bytes of every segment are parsed, and ffmpeg decodes every rendition. A
 * package that cannot be fetched or read is a fault. With parts, segments may have other lengths in the middle.
 */
export async function checkPackage(location: string, hasParts = false): Promise<CheckedPackage> {
  if (!/^https?:/.test(location)) return checkFolder(location, hasParts).catch(unreadable)
  const folder = await mkdtemp(join(tmpdir(), 'continuity-package-'))
  try {
    await fetchPackage(location, folder)
    return await checkFolder(folder, hasParts)
  } catch (error) {
    return unreadable(error)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

const unreadable = (error: unknown): CheckedPackage => ({
  faults: [String(error)],
  renditions: 0,
  segments: 0,
  bytes: 0,
  frames: 0,
})

async function checkFolder(folder: string, hasParts: boolean): Promise<CheckedPackage> {
  const variants = readVariants(await readFile(join(folder, 'main.m3u8'), 'utf8'))
  const found = { renditions: variants.length, segments: 0, bytes: 0, frames: 0 }
  if (variants.length === 0) return { ...found, faults: ['no renditions'] }
  const checked = await Promise.all(variants.map((variant) => checkRendition(folder, variant, hasParts)))
  const faults: string[] = []
  for (const [at, { uri }] of variants.entries()) {
    const { durations, bytes, frames, faults: own } = checked[at]!
    const decoded = await decode(join(folder, uri))
    const wrong = [
      ...own,
      ...decoded.faults,
      ...(decoded.frames === frames ? [] : [`ffmpeg decodes ${decoded.frames} of ${frames} frames`]),
    ]
    faults.push(...wrong.map((fault) => `${dirname(uri)}: ${fault}`))
    if (String(durations) !== String(checked[0]!.durations)) faults.push(`${uri} has other segments`)
    found.segments += durations.length
    found.bytes += bytes
    found.frames += decoded.frames
  }
  return { ...found, faults }
}

/** Every line that ffmpeg prints is a fault. */
async function decode(playlist: string): Promise<{ readonly frames: number; readonly faults: string[] }> {
  const shown = ['-v', 'error', '-xerror', '-progress', 'pipe:1']
  const args = [...shown, '-i', playlist, '-map', '0', '-fps_mode', 'passthrough', '-f', 'null', '-']
  return runTool('ffmpeg', args).then(
    ({ stdout, stderr }) => ({
      frames: Number([...stdout.toString().matchAll(/^frame=(\d+)$/gm)].at(-1)?.[1] ?? 0),
      faults: stderr.toString().split('\n').filter(Boolean),
    }),
    (error: unknown) => ({ frames: 0, faults: [String(error)] }),
  )
}
