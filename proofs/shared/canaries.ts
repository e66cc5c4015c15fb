import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { constants } from 'node:fs'
import { open, writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepDoing } from '@continuity/dev/keep-doing'

export interface Canary extends AsyncDisposable {
  readonly port: number
  connections(): number
}

/** Listens at a forbidden address and counts connections. `::` covers all addresses of this machine, IPv4 too. */
export async function startCanary(host = '::', port = 0): Promise<Canary> {
  let connections = 0
  const server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {}).resume()
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 6\r\n\r\nsecret')
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => void (await new Promise((done) => server.close(done))),
  }
}

/** On our disk, where no file of a partner may lead. */
export interface CanaryFiles extends AsyncDisposable {
  readonly pipe: string
  /** A file that leads to it can be played. */
  readonly video: string
  /** It names the pipe. */
  readonly playlist: string
  /** How often the pipe was read. */
  reads(): number
}

/**
 * A named pipe that must not be opened, next to a video and a playlist.
 *
 * A process that opens a pipe for reading blocks until another one writes. So no reader is missed: it still blocks at
 * the next poll, and then gets some bytes.
 */
export async function makeCanaryFiles(folder: string, clip: Buffer): Promise<CanaryFiles> {
  const pipe = join(folder, 'pipe.ts')
  const video = join(folder, 'canary.ts')
  const playlist = join(folder, 'canary.m3u8')
  execFileSync('mkfifo', [pipe])
  await writeFile(video, clip)
  await writeFile(playlist, `#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n${pipe}\n#EXT-X-ENDLIST\n`)
  let reads = 0
  const watching = keepDoing(async () => {
    if (await feedReader(pipe)) reads += 1
    await sleep(20)
  })
  return {
    pipe,
    video,
    playlist,
    reads: () => reads,
    [Symbol.asyncDispose]: watching.stop,
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
