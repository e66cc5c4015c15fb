import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createReadStream } from 'node:fs'
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { addCues, type Cue } from './cues.ts'

export interface TestSourceOptions {
  /** `640x360`. */
  readonly size: string
  readonly frameRate: number
  readonly segmentSeconds: number
  readonly container: 'ts' | 'fmp4'
  /** AES-128, with another key every few segments. */
  readonly isEncrypted: boolean
  /** 1.01 is a clock that is one percent fast. */
  readonly speed: number
  readonly port: number
}

export const usualSource: TestSourceOptions = {
  size: '640x360',
  frameRate: 30,
  segmentSeconds: 2,
  container: 'ts',
  isEncrypted: false,
  speed: 1,
  port: 0,
}

/**
 * A live HLS stream on loopback, made by ffmpeg: moving colours with the time and the number of the frame, and a tone.
 * It can be made to fail in the ways that live sources fail.
 */
export interface TestSource extends AsyncDisposable {
  readonly url: string
  /** No further segments, as when an encoder hangs; the playlist stays. */
  stall(): void
  resume(): void
  /** Every request is answered with this status. */
  fail(status: number): void
  heal(): void
  /** An ad cue of so many seconds, from the next segment on. */
  cue(seconds: number): void
  /** Another size behind a discontinuity, as when an encoder is set up anew. */
  changeFormat(size: string): Promise<void>
  /** Ends when ffmpeg has ended by itself. */
  readonly ended: Promise<void>
}

const PLAYLIST = 'index.m3u8'
const WINDOW_SEGMENTS = 6

export async function startTestSource(options: TestSourceOptions): Promise<TestSource> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-testsource-'))
  const cues: Cue[] = []
  let status: number | undefined // of every answer; undefined: as it should be
  const server = createServer((request, response) => {
    const done = status === undefined ? serve(folder, cues, request, response) : refuse(response, status)
    done.catch(() => response.destroy())
  })
  server.listen(options.port, '127.0.0.1')
  await once(server, 'listening')
  const place = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  if (options.isEncrypted) await writeKeys(folder, place)
  let encoder = startEncoder(folder, options, false)
  let isStopping = false
  const { promise: ended, resolve: haveEnded } = Promise.withResolvers<void>()
  const follow = (child: ChildProcess) =>
    child.once('exit', () => {
      if (child === encoder && !isStopping) haveEnded()
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
    await untilListed(folder, ended)
  } catch (error) {
    await stop()
    throw error
  }
  return {
    url: `${place}/${PLAYLIST}`,
    ended,
    stall: () => void encoder.kill('SIGSTOP'),
    resume: () => void encoder.kill('SIGCONT'),
    fail: (code) => {
      status = code
    },
    heal: () => {
      status = undefined
    },
    cue: (seconds) => void cues.push({ seconds, from: undefined }),
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

function startEncoder(folder: string, options: TestSourceOptions, isAgain: boolean): ChildProcess {
  const { size, frameRate, segmentSeconds, container, isEncrypted, speed } = options
  const input = ['-readrate', `${speed}`, '-f', 'lavfi', '-i']
  const gop = `${Math.round(frameRate * segmentSeconds)}`
  const flags = [
    'delete_segments',
    'program_date_time',
    'omit_endlist',
    'temp_file',
    ...(isAgain ? ['append_list', 'discont_start'] : []),
    ...(isEncrypted ? ['periodic_rekey'] : []),
  ]
  const args = [
    ['-nostdin', '-v', 'error', '-y'],
    [...input, `testsrc2=size=${size}:rate=${frameRate}`, ...input, 'sine=frequency=440:sample_rate=48000'],
    ['-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency', '-pix_fmt', 'yuv420p'],
    ['-g', gop, '-keyint_min', gop, '-sc_threshold', '0', '-c:a', 'aac', '-b:a', '96k'],
    ['-f', 'hls', '-hls_time', `${segmentSeconds}`, '-hls_list_size', `${WINDOW_SEGMENTS}`],
    ['-hls_flags', flags.join('+'), '-hls_segment_type', container === 'ts' ? 'mpegts' : 'fmp4'],
    ['-hls_segment_filename', join(folder, `%d.${container === 'ts' ? 'ts' : 'm4s'}`)],
    isEncrypted ? ['-hls_key_info_file', join(folder, 'key-info')] : [],
    [join(folder, PLAYLIST)],
  ].flat()
  return spawn('ffmpeg', args, { stdio: ['ignore', 'ignore', 'inherit'] })
}

async function endEncoder(encoder: ChildProcess): Promise<void> {
  if (encoder.exitCode !== null || encoder.signalCode !== null) return
  const exited = once(encoder, 'exit')
  encoder.kill('SIGKILL')
  await exited
}

async function writeKeys(folder: string, place: string): Promise<void> {
  const key = join(folder, 'key')
  await writeFile(key, crypto.getRandomValues(new Uint8Array(16)))
  await writeFile(join(folder, 'key-info'), `${place}/key\n${key}\n`)
}

/** The first segment takes as long as it lasts. */
async function untilListed(folder: string, ended: Promise<void>): Promise<void> {
  let hasEnded = false
  void ended.then(() => {
    hasEnded = true
  })
  for (;;) {
    const text = await readFile(join(folder, PLAYLIST), 'utf8').catch(() => '')
    if (text.includes('#EXTINF')) return
    if (hasEnded) throw new Error('ffmpeg ended before the first segment')
    await setTimeout(50)
  }
}

async function serve(
  folder: string,
  cues: Cue[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const name = basename(new URL(request.url ?? '/', 'http://localhost').pathname)
  if (name === PLAYLIST) {
    const text = await readFile(join(folder, name), 'utf8')
    response.writeHead(200, { 'content-type': 'application/vnd.apple.mpegurl' }).end(addCues(text, cues))
    return
  }
  const file = join(folder, name)
  const found = await stat(file).catch(() => undefined)
  if (found?.isFile() !== true || name === 'key-info') return refuse(response, 404)
  response.writeHead(200, { 'content-length': found.size })
  createReadStream(file)
    .on('error', () => response.destroy())
    .pipe(response)
}

async function refuse(response: ServerResponse, status: number): Promise<void> {
  response.writeHead(status, { 'content-type': 'text/plain' }).end('The test source fails on demand.\n')
}
