import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInputRate } from '@continuity/core/live/input-rate'
import type { PlacedCue, SourceCue } from '@continuity/core/live/source-cues'
import {
  framesPerSegment,
  type HouseFormat,
  soundFramesPerSegment,
} from '@continuity/core/media/house-format'
import type { Ladder } from '@continuity/core/media/ladder'
import { followPackets } from '@continuity/core/packaging/follow-packets'
import { countSoundFrames } from '@continuity/core/packaging/sound-frames'
import { newId } from '../../platform/crypto/ids.ts'
import { markSegment } from '../../platform/crypto/mark-segment.ts'
import type { LiveInput } from '../../platform/live-bus/live-streams.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import type { RunProgram } from '../../platform/programs/program-options.ts'
import { feedSource } from './feed-source.ts'
import { type EncodedSegment, type LiveEncoder, startLiveEncoder } from './live-encoder.ts'
import { createProber } from './probe-segment.ts'
import type { SourceFault } from './source-fault.ts'

/** An encoded segment that waits for its slot. */
export interface WaitingSegment {
  readonly segment: EncodedSegment
  readonly bitrateKbps: number
  /** Ad breaks that start or end with it. */
  readonly cues: readonly SourceCue[]
  /** When it was made, by the broker's clock. */
  readonly madeMs: number
  /** Deletes its files, once it was stored or dropped. */
  release(): Promise<void>
}

export interface EncodeOptions extends LiveInput {
  readonly outboundClient: OutboundClient
  readonly runProgram: RunProgram
  readonly ladder: Ladder
  readonly preset: string
  /** A folder of this process. */
  readonly scratchFolder: string
  readonly url: string
  readonly format: Pick<HouseFormat, 'frameRate' | 'segmentMs'>
  /** Null leaves the loudness as it is. */
  readonly loudnessLufs: number | null
  /** How far the encoder may fall behind the source; by default some target durations. */
  readonly mostBehindMs?: number
  readonly signal: AbortSignal
  readonly brokerMs: () => number
  /** Encoders that run, or whose segments still wait. */
  readonly encoders: Set<LiveEncoder>
  /** Called with each segment in order. `isBreak`: its timestamps do not continue those of the previous one. */
  readonly add: (waiting: WaitingSegment, isBreak: boolean, targetMs: number) => void
  readonly onAudioFault: (fault: SourceFault) => void
}

/** Encodes a source into house segments until it or its encoder fails. */
export async function encodeSource(options: EncodeOptions): Promise<void> {
  const { runProgram, ladder, scratchFolder, sourceId, input, encoders } = options
  const failing = new AbortController()
  const signal = AbortSignal.any([options.signal, failing.signal])
  const leftCues: SourceCue[] = [] // of segments that were never encoded
  const newFolder = () => join(scratchFolder, `${sourceId}-${input}-${newId(Date.now())}`)
  try {
    await feedSource({
      ...options,
      height: ladder.at(-1)!.height,
      signal,
      prober: createProber({ runProgram, file: `${newFolder()}.probe`, signal }),
      async openSink(facts, targetMs) {
        const encoder = await startLiveEncoder({
          ...options,
          ...facts,
          folder: newFolder(),
          // Not the signal of the source: what was encoded before it fails is still shown.
          signal: options.signal,
        })
        encoders.add(encoder)
        const { segmentMs } = options.format
        const rates = { video: createInputRate(segmentMs), audio: createInputRate(segmentMs) }
        const rateAt = (number: number) => rates.video.take(number) + rates.audio.take(number)
        const cues = createCueQueue(segmentMs, leftCues)
        const take = (number: number) => ({ bitrateKbps: rateAt(number), cues: cues.take(number) })
        follow(encoder, targetMs, take, options)
          .catch((error: unknown) => failing.abort(error))
          .finally(cues.leave)
        return {
          ...encoder,
          write(track, bytes, durationMs, placed) {
            rates[track].add(bytes.length, durationMs)
            if (track === 'video') cues.put(placed)
            return encoder.write(track, bytes)
          },
        }
      },
    })
  } catch (error) {
    throw failing.signal.aborted ? failing.signal.reason : error
  }
}

/**
 * A new encoder starts with its own timestamps. When it has ended, also by a fault,
 * and none of its segments waits, its folder is removed.
 */
async function follow(
  encoder: LiveEncoder,
  targetMs: number,
  take: (number: number) => Pick<WaitingSegment, 'bitrateKbps' | 'cues'>,
  { encoders, format, add, brokerMs }: EncodeOptions,
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
      // A partial segment at a break fills no slot, and the one after a gap is not contiguous.
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
      const facts = { ...take(segment.number), madeMs: brokerMs() }
      add({ segment, ...facts, release }, isBreak, targetMs)
      isBreak = false
    }
  } finally {
    hasEnded = true
    await leave()
  }
}

interface CueQueue {
  put(cues: readonly PlacedCue[]): void
  /** The cues of a house segment, and of earlier ones that are not shown. */
  take(number: number): readonly SourceCue[]
  /** Passes the remaining cues to the next encoder. */
  leave(): void
}

/** Holds the cues of a passage until the house segment that starts nearest to them is encoded. */
function createCueQueue(segmentMs: number, left: SourceCue[]): CueQueue {
  let waiting: { readonly number: number; readonly cue: SourceCue }[] = []
  return {
    put(cues) {
      for (const { offsetMs, ...cue } of cues) {
        waiting.push({ number: Math.round(offsetMs / segmentMs), cue })
      }
    },
    take(number) {
      const taken = waiting.filter((it) => it.number <= number)
      waiting = waiting.filter((it) => it.number > number)
      return [...left.splice(0), ...taken.map(({ cue }) => cue)]
    },
    leave: () => void left.push(...waiting.splice(0).map(({ cue }) => cue)),
  }
}

async function isWholeSlot(
  { files }: EncodedSegment,
  { frameRate, segmentMs }: EncodeOptions['format'],
): Promise<boolean> {
  const isWhole = async (file: string) => {
    const bytes = await readFile(file)
    return (
      followPackets(bytes, new Map()) === framesPerSegment(frameRate, segmentMs) &&
      countSoundFrames(bytes) === soundFramesPerSegment(segmentMs) &&
      markSegment(file, bytes)
    )
  }
  return (await Promise.all(Object.values(files).map(isWhole))).every(Boolean)
}
