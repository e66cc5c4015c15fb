import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { checkText, type ListedSegment, readListed, type Variant } from './read-playlists.ts'
import { readTransportStream, type Segment } from './transport-stream.ts'

const TICKS = 90_000
const AUDIO_FRAME = 1_920
const GOP = 144_000
const IDR = 5
const PARAMETERS = 7

export interface CheckedRendition {
  readonly durations: readonly number[]
  /** Of all segments. */
  readonly bytes: number
  /** Of the picture. */
  readonly frames: number
  readonly faults: readonly string[]
}

/** Reads every segment of a rendition; returns faults in and between them. */
export async function checkRendition(
  folder: string,
  variant: Variant,
  hasParts: boolean,
): Promise<CheckedRendition> {
  const text = await readFile(join(folder, variant.uri), 'utf8')
  const listed = readListed(text)
  const faults = [...checkText(text, listed), ...(hasParts ? checkParts(listed) : checkDurations(listed))]
  const frame = TICKS / variant.frameRate
  let next: Ends | undefined
  let [size, frames] = [0, 0]
  for (const [at, entry] of listed.entries()) {
    const bytes = await readFile(join(folder, dirname(variant.uri), entry.uri))
    const segment = readTransportStream(bytes)
    const own = [
      ...segment.faults,
      ...checkSegment(segment, entry, frame),
      ...checkJoin(segment, next, frame),
      ...((bytes.length * 8) / entry.seconds > variant.bandwidth + 1 ? ['exceeds BANDWIDTH'] : []),
      ...(at === 0 ? checkCodecs(bytes, variant.codecs) : []),
    ]
    faults.push(...own.map((fault) => `${entry.uri}: ${fault}`))
    next = endsOf(segment, frame)
    size += bytes.length
    frames += segment.video.length
  }
  return { durations: listed.map(({ seconds }) => seconds), bytes: size, frames, faults }
}

/** All but the last have one length; the last is at least a GOP, and less than a GOP longer than the others. */
function checkDurations(listed: readonly ListedSegment[]): string[] {
  const [first, last] = [listed[0]?.seconds ?? 0, listed.at(-1)?.seconds ?? 0]
  const whole = listed.length > 1 ? first : 3.2
  return [
    ...(listed.slice(0, -1).some(({ seconds }) => seconds !== first) ? ['segments differ in length'] : []),
    ...([1.6, 3.2, 6.4].includes(whole) ? [] : [`segments of ${whole} s`]),
    ...(last >= 1.6 && last < Math.max(whole, first) + 1.6 ? [] : [`the last segment has ${last} s`]),
  ]
}

/** Of a video with cue points: the first has the regular length, and all have the limits of a last segment. */
function checkParts(listed: readonly ListedSegment[]): string[] {
  const whole = listed[0]?.seconds ?? 0
  const strayed = listed.filter(({ seconds }) => seconds < 1.6 || seconds >= whole + 1.6)
  return [
    ...([3.2, 6.4].includes(whole) ? [] : [`segments of ${whole} s`]),
    ...strayed.map(({ uri, seconds }) => `${uri} has ${seconds} s`),
  ]
}

function checkSegment({ video, audio }: Segment, { seconds }: ListedSegment, frame: number): string[] {
  const [first] = video
  const sound = audio[0]
  if (first === undefined || sound === undefined) return ['has no video or no audio']
  const isIdr = (units: readonly number[]) => units.includes(IDR)
  const strayed = video.filter(({ pts, units }) => isIdr(units) !== ((pts - first.pts) % GOP === 0))
  return [
    ...(isIdr(first.units) && first.units.includes(PARAMETERS) ? [] : ['does not begin with an IDR frame']),
    ...(strayed.length > 0 ? [`${strayed.length} frames are IDR in wrong places or missing IDR`] : []),
    ...(Math.abs(video.length * frame - seconds * TICKS) < 1
      ? []
      : [`has ${video.length} frames in ${seconds} s`]),
    ...(video.some(({ pts, dts }) => pts !== dts) ? ['has frames out of order'] : []),
    ...(Math.abs(sound.pts - first.pts) < AUDIO_FRAME ? [] : ['audio and video do not begin together']),
  ]
}

/** Where video and audio of the next segment must begin. */
interface Ends {
  readonly video: number
  readonly audio: number
}

const endsOf = ({ video, audio }: Segment, frame: number): Ends => ({
  video: (video.at(-1)?.pts ?? 0) + frame,
  audio: (audio.at(-1)?.pts ?? 0) + (audio.at(-1)?.frames ?? 0) * AUDIO_FRAME,
})

function checkJoin(segment: Segment, before: Ends | undefined, frame: number): string[] {
  const { video, audio } = segment
  const start = before ?? { video: video[0]?.pts ?? 0, audio: video[0]?.pts ?? 0 }
  const ends = endsOf(segment, frame)
  const steps = (list: readonly { readonly pts: number }[], lengths: readonly number[], from: number) =>
    list.every(({ pts }, at) => pts === from + lengths.slice(0, at).reduce((sum, length) => sum + length, 0))
  const videoLengths = video.map(() => frame)
  const audioLengths = audio.map(({ frames }) => frames * AUDIO_FRAME)
  return [
    ...(steps(video, videoLengths, start.video) ? [] : ['the picture has a gap or an overlap']),
    ...(steps(audio, audioLengths, start.audio) ? [] : ['the sound has a gap or an overlap']),
    ...(Math.abs(ends.video - ends.audio) < AUDIO_FRAME ? [] : ['audio and video do not end together']),
  ]
}

function checkCodecs(bytes: Buffer, codecs: string): string[] {
  const at = bytes.indexOf(Buffer.from([0, 0, 1, 0x67]))
  const actual = `avc1.${bytes.toString('hex', at + 4, at + 7)},mp4a.40.2`
  return at !== -1 && actual === codecs ? [] : [`CODECS is ${codecs}, expected ${actual}`]
}
