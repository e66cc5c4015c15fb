import { execFile } from 'node:child_process'
import { link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Different durations, so that jobs are at different stages. */
const SECONDS = [2, 3, 4, 6]

/** Creates small videos under many names. */
export async function makeSmallFiles(
  folder: string,
  count: number,
  lengths: readonly number[] = SECONDS,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const sources = lengths.map((seconds) => join(folder, `source-${seconds}.mp4`))
  for (const [i, source] of sources.entries()) {
    const picture = `testsrc2=size=160x90:rate=30:duration=${lengths[i]}`
    const sound = `sine=frequency=${300 + 100 * i}:duration=${lengths[i]}`
    const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound]
    await run('ffmpeg', ['-v', 'error', ...inputs, '-preset', 'ultrafast', '-shortest', source])
  }
  const names = Array.from({ length: count }, (_, i) => `item-${i}.mp4`)
  for (const [i, name] of names.entries()) await link(sources[i % sources.length]!, join(folder, name))
  return names
}
