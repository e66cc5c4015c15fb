import {
  type AudioFacts,
  DURATION_MAXIMUM_MS,
  type MediaFacts,
  type MediaRejectionCode,
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
  | { readonly kind: 'rejected'; readonly code: MediaRejectionCode; readonly message: string }

/**
 * Reads the output of ffprobe for a file (`-show_format -show_streams -show_chapters -of json`).
 *
 * Much of this text comes from the file, so nothing in it is trusted: an invalid value is treated as missing.
 */
export function readProbe(text: string): ProbeResult {
  const probed = parse(text)
  if (probed === undefined) return rejected('media.unreadable', 'The file is not a video that can be read.')
  const video = readVideoStream(probed.streams)
  if (video === undefined) return rejected('media.no_video', 'The file has no video in it.')
  const { width, height } = video
  if (width > SIDE_MAXIMUM || height > SIDE_MAXIMUM || width * height > PIXELS_MAXIMUM) {
    return rejected('media.too_large_picture', `The picture of ${width} x ${height} is too large.`)
  }
  const durationMs = readDurationMs([probed.format, ...probed.streams])
  if (durationMs === 0) return rejected('media.empty', 'The file has a duration of 0.')
  if (durationMs !== null && durationMs > DURATION_MAXIMUM_MS) {
    return rejected('media.too_long', 'The file is longer than 24 hours.')
  }
  const chaptersMs = readChaptersMs(probed)
  const facts = { durationMs, video, audio: readAudioStream(probed.streams) }
  return { kind: 'media', facts: chaptersMs.length === 0 ? facts : { ...facts, chaptersMs } }
}

/** The audio of a file that may contain nothing else; undefined if it has none. */
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

const rejected = (code: MediaRejectionCode, message: string): ProbeResult => ({
  kind: 'rejected',
  code,
  message,
})

interface Probed {
  readonly format: ProbedFields
  readonly streams: readonly ProbedFields[]
  readonly chapters: readonly ProbedFields[]
}

function parse(text: string): Probed | undefined {
  try {
    const value: unknown = JSON.parse(text)
    if (!isFields(value) || !isFields(value['format']) || !Array.isArray(value['streams'])) return undefined
    if (textOf(value['format']['format_name']) === undefined) return undefined
    const chapters = Array.isArray(value['chapters']) ? value['chapters'].filter(isFields) : []
    return { format: value['format'], streams: value['streams'].filter(isFields), chapters }
  } catch {
    return undefined
  }
}

/** From the first timestamp of the file, as it is packaged. */
function readChaptersMs({ format, chapters }: Probed): readonly number[] {
  return chapters.flatMap(({ start_time }) => {
    const seconds = numberOf(start_time)
    return seconds === undefined ? [] : [Math.round(1_000 * seconds - startMsOf(format))]
  })
}

/** Duration of the file, otherwise of the first stream that states one. */
function readDurationMs(sources: readonly ProbedFields[]): number | null {
  for (const { duration } of sources) {
    const seconds = numberOf(duration)
    if (seconds !== undefined && seconds >= 0) return Math.round(seconds * 1_000)
  }
  return null
}
