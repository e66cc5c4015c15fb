import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { checkRendition } from './check-rendition.ts'
import { fetchPackage } from './fetch-package.ts'
import { readVariants } from './read-playlists.ts'
import { runTool } from './run-tool.ts'

/**
 * What is wrong with a package, in words: a folder of one, or the http address of its main.m3u8.
 *
 * Nothing here uses the code that made it: the bytes of every segment are read,
 * and ffmpeg decodes every rendition.
 */
export async function checkPackage(place: string): Promise<string[]> {
  if (!/^https?:/.test(place)) return checkFolder(place)
  const folder = await mkdtemp(join(tmpdir(), 'continuity-package-'))
  try {
    await fetchPackage(place, folder)
    return await checkFolder(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function checkFolder(folder: string): Promise<string[]> {
  const variants = readVariants(await readFile(join(folder, 'main.m3u8'), 'utf8'))
  if (variants.length === 0) return ['there is no rendition']
  const checked = await Promise.all(variants.map((variant) => checkRendition(folder, variant)))
  const faults: string[] = []
  for (const [at, { uri }] of variants.entries()) {
    const { durations, faults: own } = checked[at]!
    const decoded = [...own, ...(await decode(join(folder, uri)))]
    faults.push(...decoded.map((fault) => `${dirname(uri)}: ${fault}`))
    if (String(durations) !== String(checked[0]!.durations)) faults.push(`${uri} has other segments`)
  }
  return faults
}

/** Every word that ffmpeg says is a fault. */
async function decode(playlist: string): Promise<string[]> {
  const args = ['-v', 'error', '-xerror', '-i', playlist, '-map', '0', '-f', 'null', '-']
  return runTool('ffmpeg', args).then(
    ({ stderr }) => stderr.toString().split('\n').filter(Boolean),
    (error: unknown) => [String(error)],
  )
}
