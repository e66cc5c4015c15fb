import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { Bait } from './hostile-file.ts'
import { media } from './playlists.ts'

const run = promisify(execFile)

export interface CanaryFiles extends AsyncDisposable, Omit<Bait, 'forbiddenHosts'> {
  /** How often the pipe was read. */
  reads(): number
}

const POLL_EVERY_MS = 20

/**
 * A named pipe that must not be opened, next to a video and a playlist on our disk.
 *
 * A process that opens a pipe for reading blocks until another one writes. So no reader is missed: it still blocks at
 * the next poll, and then gets some bytes.
 */
export async function makeCanaryFiles(folder: string, clip: Buffer): Promise<CanaryFiles> {
  const [pipe, video, playlist] = ['pipe.ts', 'canary.ts', 'canary.m3u8'].map((name) => join(folder, name))
  if (pipe === undefined || video === undefined || playlist === undefined) throw new Error('three names')
  await run('mkfifo', [pipe])
  await writeFile(video, clip)
  await writeFile(playlist, media(`#EXTINF:2,\n${pipe}`))
  let reads = 0
  const over = new AbortController()
  const watching = (async () => {
    while (!over.signal.aborted) {
      if (await feedReader(pipe)) reads += 1
      await new Promise((resolve) => setTimeout(resolve, POLL_EVERY_MS))
    }
  })()
  return {
    pipe,
    video,
    playlist,
    reads: () => reads,
    async [Symbol.asyncDispose]() {
      over.abort()
      await watching
    },
  }
}

/** Whether there is a reader. Opening a pipe without a reader in this mode is an error. */
async function feedReader(pipe: string): Promise<boolean> {
  try {
    await using opened = await open(pipe, constants.O_WRONLY | constants.O_NONBLOCK)
    await opened.write('secret')
    return true
  } catch {
    return false
  }
}
