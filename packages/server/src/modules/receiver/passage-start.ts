import { setTimeout } from 'node:timers/promises'
import { pairTracks } from '@continuity/core/live/track-pair'
import type { SegmentProber, SourceFacts, StartedPicture } from './probe-segment.ts'
import { SourceFault } from './source-fault.ts'
import type { Track } from './track.ts'
import type { ReceivedSegment } from './track-reader.ts'

export interface StartOptions {
  readonly prober: SegmentProber
  readonly video: Track
  readonly audio: Track | undefined
  readonly targetMs: number
  /** Whether this is the first passage of the source: then audio must be present. */
  readonly isFirst: boolean
}

/** Timestamps of video and audio that are further apart belong to different clocks. */
const NEAR_MS = 30_000
const NEAR_TARGETS = 4
/** Maximum lag of one track behind the other after a break. */
const SKIPPED_TARGETS = 10

/** Finds where video and audio start together, and probes them. Unpaired segments are dropped. */
export async function findStart(options: StartOptions): Promise<SourceFacts> {
  const { prober, video, audio, targetMs } = options
  let isVideoBreak = false
  let skippedMs = 0
  let probed: { readonly segment: ReceivedSegment; readonly facts: StartedPicture } | undefined
  for (;;) {
    const { segment: picture, isAfterLoss } = await untilSegment(video)
    isVideoBreak ||= isAfterLoss || picture.isBreak
    if (audio === undefined) return prober.probe(picture)
    const sound = await soundInTime(options, audio)
    if (probed?.segment !== picture) {
      probed = { segment: picture, facts: await prober.probePicture(picture) }
    }
    const { startMs, ...facts } = probed.facts
    if (sound === undefined) return { ...facts, sound: { kind: 'silence' } }
    const { startMs: soundStartMs, ...soundFacts } = await prober.probeSound(sound)
    const pair = pairTracks(
      { ...picture, startMs, isBreak: isVideoBreak },
      { ...sound, startMs: soundStartMs },
      Math.max(NEAR_MS, NEAR_TARGETS * targetMs),
    )
    if (pair.kind === 'pair') {
      return { ...facts, sound: { kind: 'demuxed', ...soundFacts, offsetMs: pair.offsetMs } }
    }
    if (pair.kind === 'unrelated' || skippedMs > SKIPPED_TARGETS * targetMs) throw noCommonClock()
    skippedMs += pair.track === 'audio' ? sound.durationMs : picture.durationMs
    if (pair.track === 'audio') audio.take()
    else video.take()
  }
}

async function untilSegment(
  track: Track,
): Promise<{ readonly segment: ReceivedSegment; readonly isAfterLoss: boolean }> {
  for (let isAfterLoss = false; ; isAfterLoss = true) {
    const item = await track.peek()
    if (item.kind === 'segment') return { segment: item, isAfterLoss }
    track.take()
  }
}

/** In the first passage there must be audio; later the video waits for it as long as the buffer allows, then continues with silence. */
async function soundInTime(
  { isFirst, targetMs }: StartOptions,
  audio: Track,
): Promise<ReceivedSegment | undefined> {
  const endMs = performance.now() + targetMs
  for (;;) {
    const leftMs = Math.max(1, endMs - performance.now())
    const item = isFirst ? await audio.peek() : await within(audio.peek(), leftMs)
    if (item?.kind !== 'lost') return item
    audio.take()
  }
}

const noCommonClock = () =>
  new SourceFault('source.undecodable', 'Picture and sound of the source have no common clock.')

/** Undefined on timeout. */
export async function within<T>(promise: Promise<T>, ms: number): Promise<T | undefined> {
  const timer = new AbortController()
  try {
    return await Promise.race([promise, setTimeout(ms, undefined, { signal: timer.signal })])
  } finally {
    timer.abort()
  }
}
