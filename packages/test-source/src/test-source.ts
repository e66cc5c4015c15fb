import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { addCues, type Cue } from './cues.ts'
import {
  AUDIO_PLAYLIST,
  encoderArgs,
  KEY_INFO,
  MULTIVARIANT,
  PLAYLIST,
  printMultivariant,
  type TestSourceOptions,
} from './encoder-command.ts'
import { packAudio } from './packed-audio.ts'

export type { TestSourceOptions } from './encoder-command.ts'

export const usualSource: TestSourceOptions = {
  size: '640x360',
  frameRate: 30,
  segmentSeconds: 2,
  container: 'ts',
  audio: 'muxed',
  audioSegmentSeconds: 2,
  hasBeeps: false,
  isEncrypted: false,
  speed: 1,
  burstSeconds: 0,
  // More than the priming of audio encoders, so that no timestamp is negative.
  startSeconds: 10,
  port: 0,
}

/** Which requests fail, and how often. Default: all, until heal(). */
export interface FailedRequests {
  readonly names?: RegExp
  readonly times?: number
}

/**
 * A live HLS stream on loopback, made by ffmpeg: a test pattern with the time and the frame number, and a tone.
 * It can be made to fail in the ways that live sources fail.
 */
export interface TestSource extends AsyncDisposable {
  readonly url: string
  /** No further segments, as when an encoder hangs; the playlist stays. */
  stall(): void
  resume(): void
  /** Requests are answered with this status. */
  fail(status: number, requests?: FailedRequests): void
  heal(): void
  /** An ad cue of this duration, from the next segment on. Its end is sent even if its duration is not stated. */
  cue(seconds: number, isStated?: boolean): void
  /** Another size after a discontinuity, as when an encoder is reconfigured. */
  changeFormat(size: string): Promise<void>
  /** Resolves when ffmpeg has exited by itself. */
  readonly ended: Promise<void>
}

export async function startTestSource(options: TestSourceOptions): Promise<TestSource> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-testsource-'))
  const cues: Cue[] = []
  let failing: { status: number; names: RegExp; left: number } | undefined
  const read = createFileReader(folder, options, cues)
  const answer = async (name: string, response: ServerResponse) => {
    if (failing?.names.test(name) === true && failing.left > 0) {
      failing.left -= 1
      return sendError(response, failing.status)
    }
    const bytes = await read(name)
    if (bytes === undefined) return sendError(response, 404)
    const type = name.endsWith('.m3u8') ? { 'content-type': 'application/vnd.apple.mpegurl' } : {}
    response.writeHead(200, { ...type, 'content-length': bytes.length }).end(bytes)
  }
  const server = createServer((request, response) => {
    const name = basename(new URL(request.url ?? '/', 'http://localhost').pathname)
    answer(name, response).catch(() => response.destroy())
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (options.isEncrypted) await writeKeys(folder, origin)
  let encoder = startEncoder(folder, options, false)
  let isStopping = false
  const { promise: ended, resolve: onEnded } = Promise.withResolvers<void>()
  const follow = (child: ChildProcess) =>
    child.once('exit', () => {
      if (child === encoder && !isStopping) onEnded()
    })
  follow(encoder)
  const stop = async () => {
    isStopping = true
    await endEncoder(encoder)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
    await rm(folder, { recursive: true, force: true })
  }
  try {
    await untilListed(folder, playlistsOf(options), ended)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `${origin}/${options.audio === 'muxed' ? PLAYLIST : MULTIVARIANT}`,
    ended,
    stall: () => void encoder.kill('SIGSTOP'),
    resume: () => void encoder.kill('SIGCONT'),
    fail: (status, { names = /^/, times = Number.POSITIVE_INFINITY } = {}) => {
      failing = { status, names, left: times }
    },
    heal: () => {
      failing = undefined
    },
    cue: (seconds, isStated = true) => void cues.push({ seconds, isStated, from: undefined }),
    async changeFormat(size) {
      isStopping = true
      await endEncoder(encoder)
      encoder = startEncoder(folder, { ...options, size }, true)
      follow(encoder)
      isStopping = false
    },
    [Symbol.asyncDispose]: stop,
  }
}

const playlistsOf = ({ audio }: TestSourceOptions): readonly string[] =>
  audio === 'muxed' ? [PLAYLIST] : [PLAYLIST, AUDIO_PLAYLIST]

/** Reads a file by its name; undefined if it does not exist. */
function createFileReader(folder: string, options: TestSourceOptions, cues: Cue[]) {
  const listed = new Map<string, { readonly burst: number; readonly text: string }>()
  /** The playlist as it was when the last burst began. */
  const readListed = async (name: string): Promise<string> => {
    const { burstSeconds } = options
    if (burstSeconds === 0) return readFile(join(folder, name), 'utf8')
    const burst = Math.floor(performance.now() / (1_000 * burstSeconds))
    const known = listed.get(name)
    if (known?.burst === burst) return known.text
    const text = await readFile(join(folder, name), 'utf8')
    listed.set(name, { burst, text })
    return text
  }
  return async (name: string): Promise<Buffer | undefined> => {
    if (name === KEY_INFO) return undefined
    if (name === MULTIVARIANT) return Buffer.from(printMultivariant(options))
    if (name === PLAYLIST) return Buffer.from(addCues(await readListed(name), cues))
    const isPacked = options.audio === 'packed' && name.startsWith('audio')
    if (name === AUDIO_PLAYLIST) {
      const text = await readListed(name)
      return Buffer.from(isPacked ? text.replaceAll('.ts\n', '.aac\n') : text)
    }
    const file = join(folder, isPacked ? name.replace(/aac$/, 'ts') : name)
    const bytes = await readFile(file).catch(() => undefined)
    return isPacked && bytes !== undefined ? packAudio(bytes) : bytes
  }
}

function startEncoder(folder: string, options: TestSourceOptions, isAgain: boolean): ChildProcess {
  return spawn('ffmpeg', encoderArgs(folder, options, isAgain), { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function endEncoder(encoder: ChildProcess): Promise<void> {
  if (encoder.exitCode !== null || encoder.signalCode !== null) return
  const exited = once(encoder, 'exit')
  encoder.kill('SIGKILL')
  await exited
}

async function writeKeys(folder: string, origin: string): Promise<void> {
  const key = join(folder, 'key')
  await writeFile(key, crypto.getRandomValues(new Uint8Array(16)))
  await writeFile(join(folder, KEY_INFO), `${origin}/key\n${key}\n`)
}

/** Waits for the first segment, which takes as long as its duration. */
async function untilListed(
  folder: string,
  playlists: readonly string[],
  ended: Promise<void>,
): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  const isListed = async (name: string) => {
    const text = await readFile(join(folder, name), 'utf8').catch(() => '')
    return text.includes('#EXTINF')
  }
  for (;;) {
    const found = await Promise.all(playlists.map(isListed))
    if (found.every(Boolean)) return
    if (hasEnded) throw new Error('ffmpeg ended before the first segment')
    await setTimeout(50)
  }
}

async function sendError(response: ServerResponse, status: number): Promise<void> {
  response.writeHead(status, { 'content-type': 'text/plain' }).end('The test source fails on demand.\n')
}
