import {
  AUDIO_RATE,
  framesPerGop,
  framesPerSegment,
  type HouseFormat,
  type SegmentMs,
} from '../media/house-format.ts'
import type { Ladder, Rung } from '../media/ladder.ts'
import {
  type Command,
  fetchedInput,
  ffmpeg,
  onlyPictureAndSound,
  options,
  progress,
  soundFilters,
} from './commands.ts'
import { type Gain, gainFilters } from './loudness.ts'
import type { MediaFacts, VideoFacts } from './media-facts.ts'
import { BLACK_METER } from './propose-cue-points.ts'

export interface PackageParams {
  readonly file: string
  /** Folder of the package, with a folder for each rung and one for the stills. Its name must not contain %. */
  readonly folder: string
  readonly facts: MediaFacts
  readonly format: HouseFormat
  readonly segmentMs: SegmentMs
  readonly ladder: Ladder
  readonly preset: string
  readonly gain: Gain
  /** For a file that turned out to be shorter: its last picture is repeated up to this number of frames. */
  readonly padToFrames: number | undefined
  /** Frames at which a GOP begins, whatever precedes them. With any, there is a file for each GOP. */
  readonly cueFrames?: readonly number[]
}

/** The playlist that ffmpeg requires as its output; ours replaces it. */
export const UNUSED_PLAYLIST = 'ffmpeg.m3u8'

/**
 * One ffmpeg that decodes once and makes all renditions and the stills, and prints where the picture is black.
 *
 * The file is opened twice, for video and for audio: with one input, ffmpeg would detect the end of the video
 * only at the end of the file, after writing longer audio. Video and audio have separate graphs for the same
 * reason; `-shortest` then ends the padded audio with the video.
 */
export function packageCommand(params: PackageParams): Command {
  const { file, ladder } = params
  return ffmpeg(
    'error',
    progress,
    fetchedInput(file, ['-sn', '-dn']),
    fetchedInput(file, ['-sn', '-dn']),
    [
      '-filter_complex',
      pictureGraph({ ...params, meter: BLACK_METER }),
      '-filter_complex',
      soundGraph(params),
    ],
    ...ladder.map((rung, at) => renditionOutput(params, rung, at)),
    options({ map: '[still]', fps_mode: 'passthrough', 'q:v': 5 }),
    onlyPictureAndSound,
    options({ f: 'image2', start_number: 0 }),
    [numbered(params.folder, 'stills', 'jpg')],
    oneClock(params.facts),
  )
}

/**
 * ffmpeg starts a transport stream at the first of the streams that it uses. So each input must use both,
 * otherwise video and audio that do not begin together would be shifted against each other.
 */
function oneClock({ video, audio }: MediaFacts): readonly string[] {
  if (audio === null) return []
  const unused = [options({ map: `0:${audio.index}` }), options({ map: `1:${video.index}` })]
  return unused.flatMap((map) => [...map, ...options({ c: 'copy', f: 'null' }), '-'])
}

/**
 * A name pattern with an absolute path: when another attempt takes over and renames the folder, an ffmpeg that
 * was left running must not find it any more.
 */
export const numbered = (folder: string, part: string, extension: string): string =>
  `${folder}/${part}/%05d.${extension}`

/** A small JPEG of a picture in the house format. The colours of a JPEG are those of BT.601 (JFIF). */
export const STILL_FILTERS =
  "scale=w='min(320,iw)':h=-2:in_color_matrix=bt709:out_color_matrix=bt601:out_range=pc,format=yuvj420p"

/**
 * From the first input to `[v0]`, `[v1]` and so on, one for each rung, and `[still]`, one for each segment. A
 * meter gets the frames of the lowest rung, and ends its branch itself.
 */
export function pictureGraph(
  params: Pick<PackageParams, 'segmentMs' | 'ladder' | 'padToFrames'> & {
    readonly format: Pick<HouseFormat, 'frameRate'>
    readonly facts: Pick<MediaFacts, 'video'>
    readonly meter?: string
    readonly cueFrames?: readonly number[]
  },
): string {
  const { facts, format, segmentMs, ladder, padToFrames, meter, cueFrames = [] } = params
  const outputs = ladder.map((_, at) => `[in${at}]`).join('')
  const common = [
    ...screenFilters(facts.video),
    `fps=${format.frameRate}:start_time=0`,
    ...(padToFrames === undefined ? [] : ['tpad=stop=-1:stop_mode=clone', `trim=end_frame=${padToFrames}`]),
    `split=${ladder.length}${outputs}`,
  ].join(',')
  const lowest = meter === undefined ? ',split=2[v0][low]' : ',split=3[v0][low][metered]'
  const rungs = ladder.map(
    (rung, at) => `[in${at}]${fitInto(rung, facts.video)}${at === 0 ? lowest : `[v${at}]`}`,
  )
  const each =
    cueFrames.length === 0 ? framesPerSegment(format.frameRate, segmentMs) : framesPerGop(format.frameRate)
  const still = `[low]select='${beginsEvery(each, cueFrames)}',${STILL_FILTERS}[still]`
  const metered = meter === undefined ? [] : [`[metered]${meter}`]
  return [`[0:${facts.video.index}]${common}`, ...rungs, still, ...metered].join(';')
}

/** An expression of ffmpeg: whether frame `n` begins one of the stretches of this length that start at each cue. */
function beginsEvery(frames: number, cueFrames: readonly number[]): string {
  const steps = cueFrames.map((frame, at) => `gte(n,${frame})*${frame - (cueFrames[at - 1] ?? 0)}`)
  return steps.length === 0 ? `not(mod(n,${frames}))` : `not(mod(n-(${steps.join('+')}),${frames}))`
}

/** Converts interlaced and HDR video for standard displays. */
const screenFilters = ({ isInterlaced, isHdr }: VideoFacts): readonly string[] => [
  ...(isInterlaced ? ['bwdif=mode=send_frame:deint=interlaced'] : []),
  ...(isHdr ? [TONE_MAP] : []),
]

const TONE_MAP =
  'zscale=t=linear:npl=100,format=gbrpf32le,zscale=p=bt709,tonemap=tonemap=hable:desat=0,' +
  'zscale=t=bt709:m=bt709:r=tv,format=yuv420p'

/**
 * As large as fits, with black bars: a picture is never stretched. `dar` accounts for pixels that are not
 * square. A generated picture has no facts, and already has the colours of the house format.
 */
export function fitInto({ width, height }: Rung, video?: VideoFacts): string {
  const w = `w='max(2,2*round(min(${width},${height}*dar)/2))'`
  const h = `h='max(2,2*round(min(${height},${width}/dar)/2))'`
  const scale = `scale=${w}:${h}:out_range=tv${video === undefined ? '' : mixing(video)}`
  return `${scale},pad=${width}:${height}:(ow-iw)/2:(oh-ih)/2,setsar=1,format=yuv420p`
}

/** Converting the colour matrix costs as much as encoding, so it is done only if needed. */
const mixing = ({ matrix, isHdr }: VideoFacts): string =>
  matrix === 'bt709' || isHdr ? '' : `:in_color_matrix=${matrix}:out_color_matrix=bt709`

function soundGraph({ facts, ladder, gain }: PackageParams): string {
  const outputs = `asplit=${ladder.length}${ladder.map((_, at) => `[a${at}]`).join('')}`
  if (facts.audio === null) return `anullsrc=r=${AUDIO_RATE}:cl=stereo,${outputs}`
  const filters = [...soundFilters, ...gainFilters(gain), 'apad', outputs]
  return `[1:${facts.audio.index}]${filters.join(',')}`
}

function renditionOutput(params: PackageParams, rung: Rung, at: number): readonly string[] {
  return [
    ...options({ map: `[v${at}]` }),
    ...options({ map: `[a${at}]`, shortest: true, max_muxing_queue_size: 4_096 }),
    ...pictureEncoding(params, rung),
    ...soundEncoding(rung),
    ...onlyPictureAndSound,
    ...hlsOutput(params, rung.name),
  ]
}

/** The segments of a rung, in the folder with its name. */
export const hlsOutput = (
  { folder, segmentMs, cueFrames = [] }: Pick<PackageParams, 'folder' | 'segmentMs' | 'cueFrames'>,
  rung: string,
): readonly string[] => [
  // ffmpeg cuts at the first key frame after each multiple of this time: with next to none, at every one.
  ...options({ f: 'hls', hls_time: cueFrames.length === 0 ? segmentMs / 1_000 : 0.001 }),
  ...options({ hls_playlist_type: 'vod' }),
  ...options({ hls_segment_type: 'mpegts', hls_segment_filename: numbered(folder, rung, 'ts') }),
  `${folder}/${rung}/${UNUSED_PLAYLIST}`,
]

/**
 * Closed GOPs of one length, each starting with an IDR frame; those before a cue point are shorter.
 *
 * No B-frames: with them, the audio of a segment ends two frames before its video, and a join of two assets has
 * a gap in the audio.
 */
export function pictureEncoding(
  {
    format,
    preset,
    cueFrames = [],
  }: {
    readonly format: Pick<HouseFormat, 'frameRate'>
    readonly preset: string
    readonly cueFrames?: readonly number[]
  },
  { videoKbps }: Rung,
): readonly string[] {
  const gop = framesPerGop(format.frameRate)
  return options({
    'c:v': 'libx264',
    preset,
    'profile:v': 'high',
    bf: 0,
    g: gop,
    keyint_min: gop,
    sc_threshold: 0,
    force_key_frames: `expr:${beginsEvery(gop, cueFrames)}`,
    'forced-idr': 1,
    'b:v': `${videoKbps}k`,
    maxrate: `${Math.round(videoKbps * 1.2)}k`,
    bufsize: `${videoKbps * 2}k`,
    color_primaries: 'bt709',
    color_trc: 'bt709',
    colorspace: 'bt709',
    color_range: 'tv',
  })
}

/** Drops the priming frame of the encoder: it contains no sound, and would be before the video. */
export const soundEncoding = ({ audioKbps }: Rung): readonly string[] =>
  options({ 'c:a': 'aac', 'b:a': `${audioKbps}k`, ar: AUDIO_RATE, ac: 2, 'bsf:a': 'noise=drop=lt(pts\\,0)' })
