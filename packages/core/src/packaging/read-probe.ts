import {
  type AudioFacts,
  DURATION_MAXIMUM_MS,
  type MediaFacts,
  type MediaRefusal,
  PIXELS_MAXIMUM,
  SIDE_MAXIMUM,
} from './media-facts.ts'
import { countOf, isFields, numberOf, type ProbedFields, textOf } from './probed-fields.ts'
import { readAudioStream, readVideoStream } from './probed-streams.ts'

export type { MediaFacts } from './media-facts.ts'

export interface SoundProbe {
  readonly audio: AudioFacts
  /** The first timestamp of the file. */
  readonly startMs: number
}

export type ProbeResult =
  | { readonly kind: 'media'; readonly facts: MediaFacts }
  | { readonly kind: 'refused'; readonly code: MediaRefusal; readonly message: string }

/**
 * Reads what ffprobe printed of a file (`-show_format -show_streams -of json`).
 *
 * Whoever made the file wrote much of this text, so nothing in it is taken
 * for what it should be: a missing or absurd value is as good as none.
 */
export function readProbe(text: string): ProbeResult {
  const probed = parse(text)
  if (probed === undefined) return refuse('media.unreadable', 'The file is not a video that can be read.')
  const video = readVideoStream(probed.streams)
  if (video === undefined) return refuse('media.no_video', 'The file has no video in it.')
  const { width, height } = video
  if (width > SIDE_MAXIMUM || height > SIDE_MAXIMUM || width * height > PIXELS_MAXIMUM) {
    return refuse('media.too_large_picture', `The picture of ${width} x ${height} is too large.`)
  }
  const durationMs = readDurationMs([probed.format, ...probed.streams])
  if (durationMs === 0) return refuse('media.empty', 'The file has a duration of 0.')
  if (durationMs !== null && durationMs > DURATION_MAXIMUM_MS) {
    return refuse('media.too_long', 'The file is longer than 24 hours.')
  }
  return { kind: 'media', facts: { durationMs, video, audio: readAudioStream(probed.streams) } }
}

/** The sound of a file that may have nothing else; undefined where it has none. */
export function readSoundProbe(text: string): SoundProbe | undefined {
  const probed = parse(text)
  const audio = readAudioStream(probed?.streams ?? [])
  return probed === undefined || audio === null ? undefined : { audio, startMs: startMsOf(probed.format) }
}

/** The first timestamp of a file, and of one of its streams. */
export function readStarts(
  text: string,
  index: number,
): { readonly fileMs: number; readonly streamMs: number } {
  const probed = parse(text)
  const stream = probed?.streams.find((it) => countOf(it['index'], 0) === index)
  return { fileMs: startMsOf(probed?.format), streamMs: startMsOf(stream) }
}

const startMsOf = (fields: ProbedFields | undefined): number =>
  1_000 * (numberOf(fields?.['start_time']) ?? 0)

const refuse = (code: MediaRefusal, message: string): ProbeResult => ({ kind: 'refused', code, message })

interface Probed {
  readonly format: ProbedFields
  readonly streams: readonly ProbedFields[]
}

function parse(text: string): Probed | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isFields(value) || !isFields(value['format']) || !Array.isArray(value['streams'])) return undefined
    if (textOf(value['format']['format_name']) === undefined) return undefined
    return { format: value['format'], streams: value['streams'].filter(isFields) }
  } catch {
    return undefined
  }
}

/** Of the file, or else of the first stream that tells one. */
function readDurationMs(sources: readonly ProbedFields[]): number | null {
  for (const { duration } of sources) {
    const seconds = numberOf(duration)
    if (seconds !== undefined && seconds >= 0) return Math.round(seconds * 1_000)
  }
  return null
}
