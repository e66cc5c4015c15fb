import { existsSync } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout } from 'node:timers/promises'
import { createSignalMeter, type SegmentSignal } from '@continuity/core/live/signal-meter'
import { type LiveOrder, liveCommand } from '@continuity/core/packaging/live-command'
import { segmentName, stillName } from '@continuity/core/packaging/segment-index'
import type { ProgramLimits, RunProgram } from '../../platform/programs/program-order.ts'
import type { Sink, TrackName } from './feed-source.ts'

/** A segment of the house format in all renditions, on disk. */
export interface EncodedSegment {
  readonly number: number
  /** By the name of the rung. */
  readonly files: Readonly<Record<string, string>>
  readonly still: string
  /** What its picture and sound are like; once, and in the order of the segments. */
  signal(): SegmentSignal
}

/** An encoder of one source, from one break of its timestamps to the next. */
export interface LiveEncoder extends Omit<Sink, 'write'>, AsyncDisposable {
  write(track: TrackName, bytes: Uint8Array): Promise<void>
  /** In order, each as soon as it is whole. Ends when the encoder has ended; throws what it failed with. */
  segments(): AsyncGenerator<EncodedSegment, void>
}

const LOOK_MS = 100

/** Of segments that wait, and what is being written. */
const FOLDER_BYTES = 2_000_000_000

const limitsOf = (folder: string): ProgramLimits => ({
  // A month: whatever ends a source comes sooner, and a new encoder is only a break.
  timeMs: 2_000_000_000,
  cpuMs: 20_000_000_000,
  memoryBytes: 8 * 2 ** 30,
  folder: { path: folder, bytes: FOLDER_BYTES },
})

export interface EncoderOptions extends LiveOrder {
  readonly runProgram: RunProgram
  readonly signal: AbortSignal
}

/** Starts ffmpeg, which reads from a pipe and has no network. Its folder is new, and removed with it. */
export async function startLiveEncoder(options: EncoderOptions): Promise<LiveEncoder> {
  const { folder, ladder, runProgram } = options
  for (const name of ['stills', ...ladder.map((rung) => rung.name)]) {
    await mkdir(join(folder, name), { recursive: true })
  }
  const stop = new AbortController()
  const pipes = { video: new PassThrough(), audio: new PassThrough() }
  const meter = createSignalMeter(options.format)
  let hasEnded = false
  // Ahead of all that is not on the air: a slot that is late is lost.
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
  // Whoever reads the segments learns of it.
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
          // Its last segments are there before it has ended.
          if (hasEnded && !isWhole(segment)) {
            await running
            return
          }
          await setTimeout(LOOK_MS)
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
