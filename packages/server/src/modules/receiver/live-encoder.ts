import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { segmentName, stillName } from '@continuity/core/media/segment-index'
import { createSignalMeter, type SegmentSignal } from '@continuity/core/media/signal-meter'
import { type LiveCommandParams, liveCommand } from '@continuity/core/packaging/live-command'
import type { ProgramLimits, RunProgram } from '../../platform/programs/program-options.ts'
import type { Sink, TrackName } from './feed-source.ts'

/** A segment of the house format in all renditions, on disk. */
export interface EncodedSegment {
  readonly number: number
  /** By rung name. */
  readonly files: Readonly<Record<string, string>>
  readonly still: string
  /** Measurements of its video and audio. Call once per segment, in order. */
  signal(): SegmentSignal
}

/** Encodes one source from one break of its timestamps to the next. */
export interface LiveEncoder extends Omit<Sink, 'write'>, AsyncDisposable {
  write(track: TrackName, bytes: Uint8Array): Promise<void>
  /** In order, each as soon as it is complete. Ends with the encoder; throws its error. */
  segments(): AsyncGenerator<EncodedSegment, void>
}

const POLL_MS = 100

/** Limit for waiting segments and the one being written. */
const FOLDER_BYTES = 2_000_000_000

const limitsOf = (folder: string): ProgramLimits => ({
  // About 23 days: a source usually ends sooner, and a restart of the encoder is only a break.
  timeMs: 2_000_000_000,
  cpuMs: 20_000_000_000,
  memoryBytes: 8 * 2 ** 30,
  folder: { path: folder, bytes: FOLDER_BYTES },
})

export interface EncoderOptions extends LiveCommandParams {
  readonly runProgram: RunProgram
  readonly signal: AbortSignal
}

/** Starts ffmpeg, which reads from a pipe and has no network. Creates its folder, and removes it on disposal. */
export async function startLiveEncoder(options: EncoderOptions): Promise<LiveEncoder> {
  const { folder, ladder, runProgram } = options
  for (const name of ['stills', ...ladder.map((rung) => rung.name)]) {
    await mkdir(join(folder, name), { recursive: true })
  }
  const stop = new AbortController()
  const pipes = { video: new PassThrough(), audio: new PassThrough() }
  const meter = createSignalMeter(options.format)
  let hasEnded = false
  // Priority over work that is not on air: a late slot is lost.
  const running = runProgram({
    ...liveCommand(options),
    limits: limitsOf(folder),
    signal: AbortSignal.any([options.signal, stop.signal]),
    stdin: pipes.video,
    ...(options.sound.kind === 'demuxed' ? { pipes: [pipes.audio] } : {}),
    onLine: meter.read,
    nice: 0,
  }).finally(() => {
    hasEnded = true
    pipes.video.destroy()
    pipes.audio.destroy()
  })
  // The error is thrown to the reader of `segments`.
  running.catch(() => {})

  const segmentAt = (number: number): EncodedSegment => ({
    number,
    files: Object.fromEntries(
      ladder.map(({ name }) => [name, join(folder, name, segmentName(number))] as const),
    ),
    still: join(folder, 'stills', stillName(number)),
    signal: () => meter.take(number),
  })
  const isWhole = ({ files }: EncodedSegment) => Object.values(files).every((file) => existsSync(file))

  return {
    async write(track, bytes) {
      const pipe = pipes[track]
      if (hasEnded || pipe.write(bytes)) return
      await new Promise<void>((resolve) => {
        const done = () => {
          pipe.off('drain', done).off('close', done)
          resolve()
        }
        pipe.on('drain', done).on('close', done)
      })
    },
    endAudio: () => void pipes.audio.end(),
    end() {
      pipes.video.end()
      pipes.audio.end()
    },
    async *segments() {
      for (let number = 0; ; number += 1) {
        const segment = segmentAt(number)
        while (!isWhole(segment)) {
          // Checked again: the last segments are written before ffmpeg ends.
          if (hasEnded && !isWhole(segment)) {
            await running
            return
          }
          await setTimeout(POLL_MS)
        }
        yield segment
      }
    },
    async [Symbol.asyncDispose]() {
      stop.abort()
      await running.catch(() => {})
      await rm(folder, { recursive: true, force: true })
    },
  }
}
