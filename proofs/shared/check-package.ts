import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { runTool } from '@continuity/dev/run-tool'
import { readTransportStream, type Segment } from './transport-stream.ts'

/** The result of checking a package, with its faults. */
export interface CheckedPackage {
  readonly faults: readonly string[]
  readonly renditions: number
  readonly segments: number
  /** Of all segments. */
  readonly bytes: number
  /** Video frames that ffmpeg decoded, over all renditions. */
  readonly frames: number
}

/**
 * Checks the package in a folder completely.
 *
 * Shares no code with the packager: the bytes of every segment are parsed, and ffmpeg decodes every rendition. A
 * package that cannot be read is a fault.
 */
export const checkPackage = (folder: string): Promise<CheckedPackage> =>
  checkFolder(folder).catch((error: unknown) => ({ ...nothing, faults: [String(error)] }))

const nothing: CheckedPackage = { faults: [], renditions: 0, segments: 0, bytes: 0, frames: 0 }

async function checkFolder(folder: string): Promise<CheckedPackage> {
  const variants = readVariants(await readFile(join(folder, 'main.m3u8'), 'utf8'))
  const found = { renditions: variants.length, segments: 0, bytes: 0, frames: 0 }
  if (variants.length === 0) return { ...found, faults: ['no renditions'] }
  const checked = await Promise.all(variants.map((variant) => checkRendition(folder, variant)))
  const faults: string[] = []
  for (const [at, { uri }] of variants.entries()) {
    const { durations, bytes, frames, faults: own } = checked[at]!
    const decoded = await decode(join(folder, uri))
    const wrong = [...own, ...decoded.faults]
    if (decoded.frames !== frames) wrong.push(`ffmpeg decodes ${decoded.frames} of ${frames} frames`)
    faults.push(...wrong.map((fault) => `${dirname(uri)}: ${fault}`))
    if (String(durations) !== String(checked[0]!.durations)) faults.push(`${uri} has other segments`)
    found.segments += durations.length
    found.bytes += bytes
    found.frames += decoded.frames
  }
  return { ...found, faults }
}

/** Every line that ffmpeg prints is a fault. */
async function decode(playlist: string): Promise<{ readonly frames: number; readonly faults: string[] }> {
  const shown = ['-v', 'error', '-xerror', '-progress', 'pipe:1']
  const args = [...shown, '-i', playlist, '-map', '0', '-fps_mode', 'passthrough', '-f', 'null', '-']
  return runTool('ffmpeg', args).then(
    ({ stdout, stderr }) => ({
      frames: Number([...stdout.toString().matchAll(/^frame=(\d+)$/gm)].at(-1)?.[1] ?? 0),
      faults: stderr.toString().split('\n').filter(Boolean),
    }),
    (error: unknown) => ({ frames: 0, faults: [String(error)] }),
  )
}

const TICKS = 90_000
const AUDIO_FRAME = 1_920
const GOP = 144_000
const IDR = 5
const PARAMETERS = 7

interface CheckedRendition {
  readonly durations: readonly number[]
  /** Of all segments. */
  readonly bytes: number
  /** Of the picture. */
  readonly frames: number
  readonly faults: readonly string[]
}

/** Reads every segment of a rendition; returns faults in and between them. */
async function checkRendition(folder: string, variant: Variant): Promise<CheckedRendition> {
  const text = await readFile(join(folder, variant.uri), 'utf8')
  const listed = readListed(text)
  const faults = [...checkText(text, listed), ...checkDurations(listed)]
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

interface Variant {
  readonly uri: string
  readonly bandwidth: number
  readonly codecs: string
  readonly frameRate: number
}

interface ListedSegment {
  readonly uri: string
  readonly seconds: number
}

function readVariants(text: string): Variant[] {
  return [...text.matchAll(/^#EXT-X-STREAM-INF:(.*)\n(.+)$/gm)].map(([, attributes = '', uri = '']) => {
    const attribute = (name: string) =>
      new RegExp(`(?:^|,)${name}="?([^",]+(?:,[^"=]+)?)"?(?=,|$)`).exec(attributes)?.[1]
    return {
      uri,
      bandwidth: Number(attribute('BANDWIDTH')),
      codecs: /CODECS="([^"]*)"/.exec(attributes)?.[1] ?? '',
      frameRate: Number(attribute('FRAME-RATE')),
    }
  })
}

const readListed = (text: string): ListedSegment[] =>
  [...text.matchAll(/^#EXTINF:([\d.]+),\n(.+)$/gm)].map(([, seconds, uri = '']) => ({
    uri,
    seconds: Number(seconds),
  }))

/** Faults of the playlist text itself. */
function checkText(text: string, listed: readonly ListedSegment[]): string[] {
  const target = Number(/^#EXT-X-TARGETDURATION:(\d+)$/m.exec(text)?.[1])
  const needed = ['#EXTM3U', '#EXT-X-PLAYLIST-TYPE:VOD', '#EXT-X-INDEPENDENT-SEGMENTS', '#EXT-X-ENDLIST']
  return [
    ...needed.filter((line) => !text.split('\n').includes(line)).map((line) => `${line} is missing`),
    ...(listed.length === 0 ? ['no segment is listed'] : []),
    ...listed
      .filter(({ seconds }) => !(Math.round(seconds) <= target))
      .map(({ uri }) => `${uri} is longer than the target duration`),
  ]
}
