import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInputRate } from '@continuity/core/live/input-rate'
import type { PlacedCue, SourceCue } from '@continuity/core/live/source-cues'
import { followPackets } from '@continuity/core/packaging/follow-packets'
import {
  framesPerSegment,
  type HouseFormat,
  soundFramesPerSegment,
} from '@continuity/core/packaging/house-format'
import type { Ladder } from '@continuity/core/packaging/ladder'
import { countSoundFrames } from '@continuity/core/packaging/sound-frames'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { newId } from '../../platform/ids.ts'
import type { LiveInput } from '../../platform/live-bus/live-streams.ts'
import { markSegment } from '../../platform/mark-segment.ts'
import type { RunProgram } from '../../platform/programs/program-order.ts'
import { feedSource } from './feed-source.ts'
import { type EncodedSegment, type LiveEncoder, startLiveEncoder } from './live-encoder.ts'
import { createProber } from './probe-segment.ts'
import type { SourceFault } from './source-fault.ts'

/** An encoded segment that waits for its slot. */
export interface WaitingSegment {
  readonly segment: EncodedSegment
  readonly bitrateKbps: number
  /** Ad breaks that begin or end with it. */
  readonly cues: readonly SourceCue[]
  /** When it was made, by the broker's clock. */
  readonly madeMs: number
  /** It was stored, or is not going to be shown. */
  release(): Promise<void>
}

export interface EncodeOptions extends LiveInput {
  readonly guard: Guard
  readonly runProgram: RunProgram
  readonly ladder: Ladder
  readonly preset: string
  /** A folder of this process. */
  readonly scratchFolder: string
  readonly url: string
  readonly format: Pick<HouseFormat, 'frameRate' | 'segmentMs'>
  /** Null leaves the loudness as it is. */
  readonly loudnessLufs: number | null
  /** The encoder may fall so far behind the source; by default some target durations. */
  readonly mostBehindMs?: number
  readonly signal: AbortSignal
  readonly brokerMs: () => number
  /** Those that run, or whose segments wait. */
  readonly encoders: Set<LiveEncoder>
  /** The next segment, in order. `isBreak`: its timestamps do not continue those of the one before. */
  readonly add: (waiting: WaitingSegment, isBreak: boolean, targetMs: number) => void
  readonly onAudioFault: (fault: SourceFault) => void
}

/** Makes house segments of a source until it fails, or its encoder does. */
export async function encodeSource(options: EncodeOptions): Promise<void> {
  const { runProgram, ladder, scratchFolder, sourceId, input, encoders } = options
  const failing = new AbortController()
  const signal = AbortSignal.any([options.signal, failing.signal])
  const leftCues: SourceCue[] = [] // of segments that were not made
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
          // What is encoded when the source fails is still shown.
          signal: options.signal,
        })
        encoders.add(encoder)
        const { segmentMs } = options.format
        const rates = { video: createInputRate(segmentMs), audio: createInputRate(segmentMs) }
        const rateAt = (number: number) => rates.video.take(number) + rates.audio.take(number)
        const cues = createCueShelf(segmentMs, leftCues)
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
 * A new encoder begins with timestamps of its own. When it has ended, by a fault too,
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
      const facts = { ...take(segment.number), madeMs: brokerMs() }
      add({ segment, ...facts, release }, isBreak, targetMs)
      isBreak = false
    }
  } finally {
    hasEnded = true
    await leave()
  }
}

interface CueShelf {
  put(cues: readonly PlacedCue[]): void
  /** Those of a house segment, and of those before it that are not shown. */
  take(number: number): readonly SourceCue[]
  /** No more segments are made: what is left is for the next encoder. */
  leave(): void
}

/** Cues of a passage until the house segment is made that begins nearest to them. */
function createCueShelf(segmentMs: number, left: SourceCue[]): CueShelf {
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
