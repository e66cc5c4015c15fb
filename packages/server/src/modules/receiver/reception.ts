import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { SlotHealth } from '@continuity/core/live/input-health'
import { bufferSize, createSlotBuffer, type SlotBuffer } from '@continuity/core/live/slot-buffer'
import type { CueConfig } from '@continuity/core/live/source-config'
import type { SourceCue } from '@continuity/core/live/source-cues'
import type { HouseFormat } from '@continuity/core/packaging/house-format'
import type { Ladder } from '@continuity/core/packaging/ladder'
import { segmentName, stillName } from '@continuity/core/packaging/segment-index'
import type { Bus } from '../../platform/bus.ts'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { newId } from '../../platform/ids.ts'
import type { LiveInput } from '../../platform/live-bus/live-streams.ts'
import { sourceFolder } from '../../platform/live-bus/slot-folder.ts'
import type { Logger } from '../../platform/logger.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import type { RunProgram } from '../../platform/programs/program-order.ts'
import { carryCues } from './carry-cues.ts'
import { encodeSource, type WaitingSegment } from './encode-source.ts'
import { feedSource } from './feed-source.ts'
import type { HeldLease } from './lease-keeper.ts'
import type { EncodedSegment, LiveEncoder } from './live-encoder.ts'
import { type LogMemory, openLogWriter } from './log-writer.ts'
import { createProber } from './probe-segment.ts'
import { createSlotClock } from './slot-clock.ts'
import { SourceFault } from './source-fault.ts'

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
  /** What to do with cues; it may change on the way. */
  readonly cues: () => CueConfig | null
  /** A slot has passed, with media or without. */
  readonly onSlot: (slot: SlotHealth) => void
  /** Media of a slot is in the log. */
  readonly onMedia: (slot: number) => void
}

const RETRY_MS = 1_000

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
  const droppedCues: SourceCue[] = [] // of segments that were dropped, until the next one is shown
  const showSlots = async () => {
    for (let slot = Math.max(clock.next(), writer.firstSlot); ; slot += 1) {
      await clock.untilStart(slot)
      let taken = buffer?.take()
      while (taken === undefined && clock.isOpen(slot)) {
        await setTimeout(50, undefined, { signal })
        taken = buffer?.take()
      }
      for (const { cues, release } of buffer?.dropped() ?? []) {
        droppedCues.push(...cues)
        await release()
      }
      if (taken === undefined) {
        buffer?.miss()
        order.onSlot({ slot, media: null })
        continue
      }
      const { segment, bitrateKbps, madeMs } = taken.segment
      const cues = [...droppedCues.splice(0), ...taken.segment.cues]
      const carried = order.cues()
      // Before anything else: a break begins in this slot if its cue is stored within a second.
      if (carried !== null) void carryCues(deps, { sourceId, slot, slotMs, ...carried }, cues, signal)
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
  const reading = keepTrying(deps, order, signal, () =>
    encodeSource({ ...deps, ...order, signal, encoders, add, onAudioFault: logAudioFault(deps, order) }),
  )
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

/** Looks whether one input of a source could be received, until the signal aborts. Nothing is made of it. */
export async function watch(deps: ReceptionDeps, order: WatchOrder): Promise<void> {
  const { guard, ladder, runProgram, scratchFolder } = deps
  const { signal, url, sourceId, input, onMedia } = order
  const read = () => {
    const file = join(scratchFolder, `${sourceId}-${input}-${newId(Date.now())}.probe`)
    const prober = createProber({ runProgram, file, signal })
    const openSink = async () => ({ write: async () => onMedia(), endAudio() {}, end() {} })
    const height = ladder.at(-1)!.height
    return feedSource({
      guard,
      url,
      signal,
      height,
      prober,
      openSink,
      onAudioFault: logAudioFault(deps, order),
    })
  }
  await keepTrying(deps, order, signal, read).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

const logAudioFault =
  ({ logger }: ReceptionDeps, { sourceId, input }: LiveInput) =>
  ({ code, message }: SourceFault) =>
    logger.info({ source: sourceId, input, code }, `sound is missing: ${message}`)

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
