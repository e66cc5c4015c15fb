import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { extname, join } from 'node:path'
import { promisify } from 'node:util'
import type { HostileFile } from './hostile-file.ts'

const run = promisify(execFile)

const LIMIT_MS = 20_000
const PROTOCOLS = 'file,http,https,tls,tcp,ftp,udp,rtp,crypto,data,subfile,concat'

/** Opens files without restrictions, and counts those that lead ffprobe to the bait: the control of the whole proof. */
export async function countFollowed(
  files: readonly HostileFile[],
  { folder, visits }: { readonly folder: string; visits(): number },
): Promise<number> {
  let followed = 0
  for (const { body, kind } of files) {
    if (typeof body === 'function') continue
    const before = visits()
    const isPlaylist = kind === 'playlist'
    const file = join(folder, `opened${isPlaylist ? '.m3u8' : '.txt'}`)
    await writeFile(file, body)
    const width = await openFreely(file)
    if (visits() > before || width === BAIT_WIDTH) followed += 1
  }
  return followed
}

/** No other video of these is as wide. */
const BAIT_WIDTH = 144

async function openFreely(file: string): Promise<number | undefined> {
  const freely = [
    '-protocol_whitelist',
    PROTOCOLS,
    ...(extname(file) === '.m3u8' ? LETTING_ALL : ['-safe', '0']),
  ]
  const shown = ['-v', 'quiet', '-show_entries', 'stream=width', '-of', 'csv=p=0']
  const answer = await run('ffprobe', [...shown, ...freely, file], { timeout: LIMIT_MS }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  )
  const width = Number.parseInt(answer.stdout, 10)
  return Number.isNaN(width) ? undefined : width
}

const LETTING_ALL = ['-allowed_extensions', 'ALL']
