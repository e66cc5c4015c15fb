import { randomUUID } from 'node:crypto'
import { readdirSync } from 'node:fs'
import { mkdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { readLadder } from '@continuity/core/media/ladder'
import { receive } from '../../packages/server/src/modules/receiver/reception.ts'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { ensureLiveStreams } from '../../packages/server/src/platform/live-bus/live-streams.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { openDiskStore } from '../../packages/server/src/platform/media-store/disk-store.ts'
import { createOutboundClient } from '../../packages/server/src/platform/outbound/outbound-client.ts'
import { createProgramRunner } from '../../packages/server/src/platform/programs/run-program.ts'
import { type DriftingShape, serveDriftingMedia } from './drifting-media.ts'
import { driveTime } from './driven-time.ts'

/** Options of the process of one reception. */
export interface DriftingOptions {
  readonly shape: DriftingShape
  readonly natsUrl: string
  readonly sourceId: string
  /** Of the source, of the media store, and of the encoder. */
  readonly sourceFolder: string
  readonly mediaFolder: string
  readonly scratchFolder: string
  readonly ladder: string
}

/** Its report when it has ended. */
export interface DriftingReport {
  readonly encoders: number
  readonly faults: readonly string[]
  /** Of the process and its encoder, by driven time. */
  readonly samples: readonly MemorySample[]
  /** House segments that waited in its folder, at most. */
  readonly mostWaiting: number
}

export interface MemorySample {
  readonly atMs: number
  readonly receiverBytes: number
  readonly encoderBytes: number
}

/** Driven time at the beginning: the first slot of the run begins then. */
export const ORIGIN_MS = 3_200 * 500_000_000
/** Of driven time in 5 ms of real time: forty times as fast where nothing is to be done. */
const STEP_MS = 200
const SAMPLE_MS = 10_000
const SLOT_SECONDS = 3.2
const PAGE_BYTES = 4_096
const FORMAT = { frameRate: 25, segmentMs: 3_200 } as const

/** Receives a source in driven time, with the parts that the receiver is made of. */
export async function receiveDrifting(options: DriftingOptions): Promise<DriftingReport> {
  await mkdir(options.scratchFolder, { recursive: true })
  const encoder = watchEncoder(options.scratchFolder)
  let givenSeconds = () => 0
  using time = driveTime(STEP_MS, () => encoder.isBehind(givenSeconds()))
  const source = await serveDriftingMedia(options.sourceFolder, options.shape, time.nowMs)
  givenSeconds = source.servedSeconds
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const bus = openBus(options.natsUrl, { name: 'drifting source', logger })
  // Otherwise the source would have dropped its first segments before they are requested.
  await time.hold(bus.opened.then(() => ensureLiveStreams(bus.connection()!, 1)))
  const outboundClient = createOutboundClient({ allow: [source.host] })
  const store = openDiskStore(options.mediaFolder)
  const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger })
  const ladder = readLadder(options.ladder)
  if (ladder.kind === 'rejected') throw new Error(ladder.faults.join('; '))
  const faults: string[] = []
  let encoders = 0
  const stop = new AbortController()
  const received = receive(
    {
      bus,
      ladder: ladder.ladder,
      preset: 'ultrafast',
      scratchFolder: options.scratchFolder,
      brokerMs: () => ORIGIN_MS + time.nowMs(),
      logger,
      // What takes real time takes none of the driven time.
      outboundClient: { ...outboundClient, get: (outbound) => time.hold(outboundClient.get(outbound)) },
      store: { ...store, put: (...args) => time.hold(store.put(...args)) },
      runProgram(program) {
        if (program.program === 'ffmpeg') encoders += 1
        const running = runProgram(program)
        return program.program === 'ffmpeg' ? running : time.hold(running)
      },
    },
    {
      sourceId: options.sourceId,
      input: 0,
      accountId: randomUUID(),
      url: source.url,
      format: FORMAT,
      loudnessLufs: null,
      signal: stop.signal,
      memory: {},
      cues: () => null,
      onMedia() {},
      onSlot() {},
      lease: { token: 1, isValid: () => true, renew: async () => true, release: async () => {} },
      onFault: ({ code }) => faults.push(code),
    },
  )
  const samples: MemorySample[] = []
  let mostWaiting = 0
  for (let atMs = 0; atMs < 1_000 * options.shape.seconds; atMs += SAMPLE_MS) {
    await Promise.race([setTimeout(SAMPLE_MS), received])
    const encoderBytes = await residentBytesOf(process.pid)
    samples.push({ atMs, receiverBytes: process.memoryUsage.rss(), encoderBytes })
    mostWaiting = Math.max(mostWaiting, encoder.waiting())
  }
  stop.abort()
  await received
  source.close()
  await bus.close()
  await outboundClient.close()
  return { encoders, faults, samples, mostWaiting }
}

/** How much the decoder and the filters buffer, and some frames more. */
const BUFFERED_SECONDS = 0.6
/** An encoder that makes nothing for so long is not waited for. */
const PATIENCE_MS = 20_000

/** The ffmpeg of this process, as its folder shows it. */
function watchEncoder(scratchFolder: string) {
  let made = 0
  let waiting = 0
  let changedMs = Date.now()
  const look = () => {
    const names = readdirSync(scratchFolder, { recursive: true }).map(String)
    const segments = names.flatMap((name) => /(\d+)\.ts$/.exec(name)?.[1] ?? [])
    waiting = segments.length
    const now = Math.max(made, ...segments.map((number) => Number(number) + 1))
    if (now > made) changedMs = Date.now()
    made = now
  }
  return {
    /** Whether it has not made yet what it was given. */
    isBehind(givenSeconds: number): boolean {
      if (made >= Math.floor((givenSeconds - BUFFERED_SECONDS) / SLOT_SECONDS)) {
        changedMs = Date.now()
        return false
      }
      look()
      return Date.now() - changedMs < PATIENCE_MS
    },
    /** Segments that wait for their slots. */
    waiting() {
      look()
      return waiting
    },
  }
}

async function residentBytesOf(children: number): Promise<number> {
  const pids = (await readFile(`/proc/${children}/task/${children}/children`, 'utf8')).trim().split(' ')
  let bytes = 0
  for (const pid of pids.filter(Boolean)) {
    const statm = await readFile(`/proc/${pid}/statm`, 'utf8').catch(() => '')
    bytes += PAGE_BYTES * Number(statm.split(' ')[1] ?? 0)
  }
  return bytes
}
