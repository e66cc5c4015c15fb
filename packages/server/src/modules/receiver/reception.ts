import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { SlotHealth } from '@continuity/core/live/input-health'
import { createInputRate, type InputRate } from '@continuity/core/live/input-rate'
import { bufferSize, createSlotBuffer, type SlotBuffer } from '@continuity/core/live/slot-buffer'
import { followPackets } from '@continuity/core/packaging/follow-packets'
import { framesPerSegment, type HouseFormat } from '@continuity/core/packaging/house-format'
import type { Ladder } from '@continuity/core/packaging/ladder'
import { segmentName, stillName } from '@continuity/core/packaging/segment-index'
import type { Bus } from '../../platform/bus.ts'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { newId } from '../../platform/ids.ts'
import type { LiveInput } from '../../platform/live-bus/live-streams.ts'
import { sourceFolder } from '../../platform/live-bus/slot-folder.ts'
import type { Logger } from '../../platform/logger.ts'
import { markSegment } from '../../platform/mark-segment.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import type { RunProgram } from '../../platform/programs/program-order.ts'
import type { HeldLease } from './lease-keeper.ts'
import { type EncodedSegment, type LiveEncoder, startLiveEncoder } from './live-encoder.ts'
import { type LogMemory, openLogWriter } from './log-writer.ts'
import { probeSegment } from './probe-segment.ts'
import { createSlotClock } from './slot-clock.ts'
import { SourceFault } from './source-fault.ts'
import { type ReceivedSegment, readSource } from './source-reader.ts'

export interface ReceptionDeps {
  readonly bus: Bus
  readonly guard: Guard
  readonly store: MediaStore
  readonly runProgram: RunProgram
  readonly ladder: Ladder
  readonly preset: string
  /** A folder of this process. */
  readonly scratchFolder: string
  readonly brokerMs: () => number
  readonly logger: Logger
}

export interface WatchOrder extends LiveInput {
  readonly url: string
  readonly signal: AbortSignal
  readonly onMedia: () => void
  /** It cannot be read, or not any more; it is tried again. */
  readonly onFault: (fault: SourceFault) => void
}

export interface ReceptionOrder extends Omit<WatchOrder, 'onMedia'> {
  readonly accountId: string
  readonly format: Pick<HouseFormat, 'frameRate' | 'segmentMs'>
  /** Null leaves the loudness as it is. */
  readonly loudnessLufs: number | null
  readonly lease: HeldLease
  readonly memory: LogMemory
  /** A slot has passed, with media or without. */
  readonly onSlot: (slot: SlotHealth) => void
  /** Media of a slot is in the log. */
  readonly onMedia: (slot: number) => void
}

const RETRY_MS = 1_000

/** An encoded segment that waits for its slot. */
interface WaitingSegment {
  readonly segment: EncodedSegment
  readonly bitrateKbps: number
  /** When it was made, by the broker's clock. */
  readonly madeMs: number
  /** It was stored, or is not going to be shown. */
  release(): Promise<void>
}

/**
 * Receives one input of a source until the signal aborts or another process has its lease: reads it, makes house segments,
 * stores them and writes the log, slot by slot.
 */
export async function receive(deps: ReceptionDeps, order: ReceptionOrder): Promise<void> {
  const { bus, brokerMs } = deps
  const { sourceId, input, lease, accountId } = order
  const folder = sourceFolder(accountId, sourceId)
  const { memory, format } = order
  const slotMs = format.segmentMs
  const writer = await openLogWriter({ bus, sourceId, input, lease, folder, slotMs, brokerMs, memory })
  const ending = new AbortController()
  const signal = AbortSignal.any([order.signal, ending.signal])
  // Those that run, or whose segments wait.
  const encoders = new Set<LiveEncoder>()
  let buffer: SlotBuffer<WaitingSegment> | undefined // created when the target duration of the source is known
  const add = (waiting: WaitingSegment, isBreak: boolean, targetMs: number) => {
    buffer ??= createSlotBuffer(bufferSize(targetMs, order.format.segmentMs), writer.firstEpoch)
    buffer.add(waiting, isBreak)
  }
  const clock = createSlotClock(order.format.segmentMs, brokerMs, signal)
  const showSlots = async () => {
    for (let slot = Math.max(clock.next(), writer.firstSlot); ; slot += 1) {
      await clock.untilStart(slot)
      let taken = buffer?.take()
      while (taken === undefined && clock.isOpen(slot)) {
        await setTimeout(50, undefined, { signal })
        taken = buffer?.take()
      }
      for (const { release } of buffer?.dropped() ?? []) await release()
      if (taken === undefined) {
        buffer?.miss()
        order.onSlot({ slot, media: null })
        continue
      }
      const { segment, bitrateKbps, madeMs } = taken.segment
      try {
        const place = { slot, epoch: taken.epoch }
        await storeSegment(deps, order, segment, slot, writer.folderOf(place))
        if (!(await writer.write(place))) return
        const delayMs = clock.deadlineMs(slot) - madeMs
        const media = clock.isInTime(slot) ? { bitrateKbps, delayMs, ...segment.signal() } : null
        order.onSlot({ slot, media })
        order.onMedia(slot)
      } catch (err) {
        signal.throwIfAborted()
        order.onSlot({ slot, media: null })
        // Without the store or the broker the slot is fill; the next one may be better.
        deps.logger.warn({ source: order.sourceId, input: order.input, slot, err }, 'a slot was lost')
      } finally {
        await taken.segment.release()
      }
    }
  }
  const showing = showSlots()
  const reading = keepTrying(deps, order, signal, () => readUntilFault(deps, order, signal, encoders, add))
  try {
    await Promise.race([showing, reading])
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    ending.abort()
    await Promise.allSettled([showing, reading])
    await Promise.all([...encoders].map((encoder) => encoder[Symbol.asyncDispose]()))
  }
}

type Add = (waiting: WaitingSegment, isBreak: boolean, targetMs: number) => void

/** Looks whether one input of a source could be received, until the signal aborts. Nothing is made of it. */
export async function watch(deps: ReceptionDeps, order: WatchOrder): Promise<void> {
  const { guard, ladder, runProgram, scratchFolder } = deps
  const { signal, url, sourceId, input, onMedia } = order
  const read = async () => {
    let isProbed = false
    for await (const received of readSource({ guard, url, height: ladder.at(-1)!.height, signal })) {
      if (!isProbed || received.isBreak) {
        const file = join(scratchFolder, `${sourceId}-${input}-${newId(Date.now())}.probe`)
        await probeSegment(runProgram, received, file, signal)
        isProbed = true
      }
      onMedia()
    }
  }
  await keepTrying(deps, order, signal, read).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

/** Reads the source, and begins again when it fails: a source comes back by itself. */
async function keepTrying(
  deps: ReceptionDeps,
  order: Pick<WatchOrder, 'sourceId' | 'input' | 'onFault'>,
  signal: AbortSignal,
  read: () => Promise<void>,
): Promise<never> {
  for (;;) {
    try {
      await read()
    } catch (error) {
      signal.throwIfAborted()
      const fault =
        error instanceof SourceFault
          ? error
          : new SourceFault('source.undecodable', 'The source cannot be encoded.', { cause: error })
      deps.logger.info(
        { source: order.sourceId, input: order.input, code: fault.code, err: fault.cause },
        fault.message,
      )
      order.onFault(fault)
    }
    await setTimeout(RETRY_MS, undefined, { signal })
  }
}

async function readUntilFault(
  deps: ReceptionDeps,
  order: ReceptionOrder,
  signal: AbortSignal,
  encoders: Set<LiveEncoder>,
  add: Add,
): Promise<void> {
  const { guard, ladder, brokerMs } = deps
  let encoder: LiveEncoder | undefined
  let rate: InputRate | undefined // of what is sent to that encoder
  // An encoder that fails ends the reading of its source.
  const { promise: failed, reject: fail } = Promise.withResolvers<never>()
  failed.catch(() => {})
  const reading = readSource({ guard, url: order.url, height: ladder.at(-1)!.height, signal })
  try {
    for (;;) {
      const { value: received, done } = await Promise.race([reading.next(), failed])
      if (done === true) return
      if (encoder === undefined || received.isBreak) {
        encoder?.end()
        encoder = await openEncoder(deps, order, received, signal)
        encoders.add(encoder)
        rate = createInputRate(order.format.segmentMs)
        const { take } = rate
        const factsOf = ({ number }: EncodedSegment) => ({ bitrateKbps: take(number), madeMs: brokerMs() })
        follow(encoder, encoders, order.format, received.targetMs, factsOf, add).catch(fail)
        await encoder.write(received.map)
      }
      rate!.add(received.bytes.length, received.durationMs)
      await encoder.write(received.bytes)
    }
  } finally {
    encoder?.end()
    await reading.return().catch(() => {})
  }
}

async function openEncoder(
  { runProgram, ladder, preset, scratchFolder }: ReceptionDeps,
  { format, loudnessLufs, sourceId, input }: ReceptionOrder,
  received: ReceivedSegment,
  signal: AbortSignal,
): Promise<LiveEncoder> {
  const folder = join(scratchFolder, `${sourceId}-${input}-${newId(Date.now())}`)
  const facts = await probeSegment(runProgram, received, `${folder}.probe`, signal)
  return startLiveEncoder({ ...facts, format, loudnessLufs, ladder, preset, folder, runProgram, signal })
}

/**
 * A new encoder begins with timestamps of its own. When it has ended, by a fault too,
 * and none of its segments waits, its folder is removed.
 */
async function follow(
  encoder: LiveEncoder,
  encoders: Set<LiveEncoder>,
  format: ReceptionOrder['format'],
  targetMs: number,
  factsOf: (segment: EncodedSegment) => Pick<WaitingSegment, 'bitrateKbps' | 'madeMs'>,
  add: Add,
): Promise<void> {
  let waiting = 0
  let hasEnded = false
  let isBreak = true
  const leave = async () => {
    if (!hasEnded || waiting > 0) return
    encoders.delete(encoder)
    await encoder[Symbol.asyncDispose]()
  }
  try {
    for await (const segment of encoder.segments()) {
      // What is left at a break is no slot, and what follows a hole does not continue what was before it.
      if (!(await isWholeSlot(segment, format))) {
        isBreak = true
        continue
      }
      waiting += 1
      const release = async () => {
        waiting -= 1
        await Promise.all(
          [...Object.values(segment.files), segment.still].map((file) => rm(file, { force: true })),
        )
        await leave()
      }
      add({ segment, ...factsOf(segment), release }, isBreak, targetMs)
      isBreak = false
    }
  } finally {
    hasEnded = true
    await leave()
  }
}

async function isWholeSlot(
  { files }: EncodedSegment,
  { frameRate, segmentMs }: ReceptionOrder['format'],
): Promise<boolean> {
  const frames = framesPerSegment(frameRate, segmentMs)
  const isWhole = async (file: string) => {
    const bytes = await readFile(file)
    return followPackets(bytes, new Map()) === frames && markSegment(file, bytes)
  }
  return (await Promise.all(Object.values(files).map(isWhole))).every(Boolean)
}

/** Its files are named by the number of its slot. */
async function storeSegment(
  { store }: ReceptionDeps,
  { signal }: ReceptionOrder,
  { files, still }: EncodedSegment,
  slot: number,
  folder: string,
): Promise<void> {
  const objects = [
    ...Object.entries(files).map(([rung, file]) => ({ key: `${folder}/${rung}/${segmentName(slot)}`, file })),
    { key: `${folder}/stills/${stillName(slot)}`, file: still },
  ]
  await Promise.all(objects.map(({ key, file }) => store.put(key, { file }, signal)))
}
