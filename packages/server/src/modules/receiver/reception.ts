import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import type { SlotHealth } from '@continuity/core/live/input-health'
import { bufferSize, createSlotBuffer, type SlotBuffer } from '@continuity/core/live/slot-buffer'
import type { CueConfig } from '@continuity/core/live/source-config'
import type { SourceCue } from '@continuity/core/live/source-cues'
import type { HouseFormat } from '@continuity/core/media/house-format'
import type { Ladder } from '@continuity/core/media/ladder'
import { segmentName, stillKey } from '@continuity/core/media/segment-index'
import { isInTime, SETTLE_MS, slotStartMs } from '@continuity/core/timeline/live-log'
import type { Bus } from '../../platform/bus/bus.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { LiveInput } from '../../platform/live-bus/live-streams.ts'
import { sourceFolder } from '../../platform/live-bus/slot-folder.ts'
import type { Logger } from '../../platform/log/logger.ts'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import type { RunProgram } from '../../platform/programs/program-options.ts'
import { carryCues } from './carry-cues.ts'
import { encodeSource, type WaitingSegment } from './encode-source.ts'
import { feedSource } from './feed-source.ts'
import type { HeldLease } from './lease-keeper.ts'
import type { EncodedSegment, LiveEncoder } from './live-encoder.ts'
import { type LogMemory, openLogWriter } from './log-writer.ts'
import { createProber } from './probe-segment.ts'
import { SourceFault } from './source-fault.ts'

export interface ReceptionDeps {
  readonly bus: Bus
  readonly outboundClient: OutboundClient
  readonly store: MediaStore
  readonly runProgram: RunProgram
  readonly ladder: Ladder
  readonly preset: string
  /** A folder of this process. */
  readonly scratchFolder: string
  readonly brokerMs: () => number
  readonly logger: Logger
}

export interface WatchOptions extends LiveInput {
  readonly url: string
  readonly signal: AbortSignal
  readonly onMedia: () => void
  /** The source cannot be read; it is retried. */
  readonly onFault: (fault: SourceFault) => void
}

export interface ReceptionOptions extends Omit<WatchOptions, 'onMedia'> {
  readonly accountId: string
  readonly format: Pick<HouseFormat, 'frameRate' | 'segmentMs'>
  /** Null leaves the loudness as it is. */
  readonly loudnessLufs: number | null
  readonly lease: HeldLease
  readonly memory: LogMemory
  /** How to carry over cues; may change during the reception. */
  readonly cues: () => CueConfig | null
  /** Called after each slot, with or without media. */
  readonly onSlot: (slot: SlotHealth) => void
  /** Called when media of a slot is in the log. */
  readonly onMedia: (slot: number) => void
}

const RETRY_MS = 1_000

/**
 * Receives one input of a source until the signal aborts or another process has its lease: reads it, encodes house segments,
 * stores them and writes the log, slot by slot.
 */
export async function receive(deps: ReceptionDeps, options: ReceptionOptions): Promise<void> {
  const { bus, brokerMs } = deps
  const { sourceId, input, lease, accountId } = options
  const folder = sourceFolder(accountId, sourceId)
  const { memory, format } = options
  const slotMs = format.segmentMs
  const writer = await openLogWriter({ bus, sourceId, input, lease, folder, slotMs, brokerMs, memory })
  const ending = new AbortController()
  const signal = AbortSignal.any([options.signal, ending.signal])
  // Encoders that run, or whose segments still wait.
  const encoders = new Set<LiveEncoder>()
  let buffer: SlotBuffer<WaitingSegment> | undefined // created with the first segment, when the target duration is known
  const add = (waiting: WaitingSegment, isBreak: boolean, targetMs: number) => {
    buffer ??= createSlotBuffer(bufferSize(targetMs, options.format.segmentMs), writer.firstEpoch)
    buffer.add(waiting, isBreak)
  }
  const clock = createSlotClock(options.format.segmentMs, brokerMs, signal)
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
        options.onSlot({ slot, media: null })
        continue
      }
      const { segment, bitrateKbps, madeMs } = taken.segment
      const cues = [...droppedCues.splice(0), ...taken.segment.cues]
      const carried = options.cues()
      // First of all: a break starts in this slot only if its cue is stored within a second.
      if (carried !== null) void carryCues(deps, { sourceId, slot, slotMs, ...carried }, cues, signal)
      try {
        const position = { slot, epoch: taken.epoch }
        await storeSegment(deps, options, segment, slot, writer.folderOf(position))
        if (!(await writer.write(position))) return
        const delayMs = clock.deadlineMs(slot) - madeMs
        const media = clock.isInTime(slot) ? { bitrateKbps, delayMs, ...segment.signal() } : null
        options.onSlot({ slot, media })
        options.onMedia(slot)
      } catch (err) {
        signal.throwIfAborted()
        options.onSlot({ slot, media: null })
        // Without the store or the broker the slot is fill; the next one may succeed.
        deps.logger.warn(
          { source: options.sourceId, input: options.input, slot, err },
          'storing a slot failed; it is filled',
        )
      } finally {
        await taken.segment.release()
      }
    }
  }
  const showing = showSlots()
  const reading = keepTrying(deps, options, signal, () =>
    encodeSource({ ...deps, ...options, signal, encoders, add, onAudioFault: logAudioFault(deps, options) }),
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

/** Probes whether one input of a source could be received, without encoding it, until the signal aborts. */
export async function watch(deps: ReceptionDeps, options: WatchOptions): Promise<void> {
  const { outboundClient, ladder, runProgram, scratchFolder } = deps
  const { signal, url, sourceId, input, onMedia } = options
  const read = () => {
    const file = join(scratchFolder, `${sourceId}-${input}-${newId(Date.now())}.probe`)
    const prober = createProber({ runProgram, file, signal })
    const openSink = async () => ({ write: async () => onMedia(), endAudio() {}, end() {} })
    const height = ladder.at(-1)!.height
    return feedSource({
      outboundClient,
      url,
      signal,
      height,
      prober,
      openSink,
      onAudioFault: logAudioFault(deps, options),
    })
  }
  await keepTrying(deps, options, signal, read).catch((error: unknown) => {
    if (!signal.aborted) throw error
  })
}

const logAudioFault =
  ({ logger }: ReceptionDeps, { sourceId, input }: LiveInput) =>
  ({ code, message }: SourceFault) =>
    logger.info({ source: sourceId, input, code }, `audio is missing: ${message}`)

/** Reads the source, and retries when it fails. */
async function keepTrying(
  deps: ReceptionDeps,
  options: Pick<WatchOptions, 'sourceId' | 'input' | 'onFault'>,
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
        { source: options.sourceId, input: options.input, code: fault.code, err: fault.cause },
        fault.message,
      )
      options.onFault(fault)
    }
    await setTimeout(RETRY_MS, undefined, { signal })
  }
}

/** Files are named by slot number. */
async function storeSegment(
  { store }: ReceptionDeps,
  { signal }: ReceptionOptions,
  { files, still }: EncodedSegment,
  slot: number,
  folder: string,
): Promise<void> {
  const objects = [
    ...Object.entries(files).map(([rung, file]) => ({ key: `${folder}/${rung}/${segmentName(slot)}`, file })),
    { key: stillKey(folder, slot), file: still },
  ]
  await Promise.all(objects.map(({ key, file }) => store.put(key, { file }, signal)))
}

interface SlotClock {
  /** The next slot to begin. */
  next(): number
  untilStart(slot: number): Promise<void>
  /** An entry sent by then is stored in time. */
  deadlineMs(slot: number): number
  isOpen(slot: number): boolean
  /** Whether an entry stored now is in time. */
  isInTime(slot: number): boolean
}

/** Time reserved for sending an entry to the broker. */
const SENDING_MS = 300

/** Slots by the broker's clock, which decides whether an entry was in time. */
function createSlotClock(slotMs: number, brokerMs: () => number, signal: AbortSignal): SlotClock {
  const deadlineMs = (slot: number) => slotStartMs(slot + 1, slotMs) + SETTLE_MS - SENDING_MS
  return {
    next: () => Math.ceil(brokerMs() / slotMs),
    async untilStart(slot) {
      for (;;) {
        const leftMs = slotStartMs(slot, slotMs) - brokerMs()
        if (leftMs <= 0) return
        await setTimeout(Math.min(leftMs, 1_000), undefined, { signal })
      }
    },
    deadlineMs,
    isOpen: (slot) => brokerMs() < deadlineMs(slot),
    isInTime: (slot) => isInTime(slot, slotMs, brokerMs()),
  }
}
