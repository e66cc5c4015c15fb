import { AUDIO_RATE } from '../media/house-format.ts'
import { type Gain, gainFilters } from './loudness.ts'
import { type AudioFacts, PIXELS_MAXIMUM, type VideoFacts } from './media-facts.ts'

/** A program with its arguments. All file names are absolute paths. */
export interface Command {
  readonly program: 'ffmpeg' | 'ffprobe'
  readonly args: readonly string[]
}

/**
 * The containers that a fetched file may have.
 *
 * Most other formats that ffmpeg reads are lists and scripts that refer to other files or addresses (hls, dash,
 * concat, sdp, image patterns): a file that begins with `#EXTM3U` could read local files for its sender. A MOV
 * can refer to other files too, but ffmpeg does not follow these by default.
 */
const CONTAINERS = 'mov,mp4,m4a,3gp,3g2,mj2,matroska,webm,mpegts,mpeg,avi,flv,asf,mxf,ogg'

const PROTOCOLS = ['-protocol_whitelist', 'file,pipe']

/** `file:` prevents that a name is read as an option or a protocol. */
const opened = (file: string): readonly string[] => ['-i', `file:${file}`]

/** Input options of a file from outside. */
export const fetchedInput = (file: string, options: readonly string[] = []): readonly string[] => [
  ...PROTOCOLS,
  '-format_whitelist',
  CONTAINERS,
  '-max_pixels',
  String(PIXELS_MAXIMUM),
  ...options,
  ...opened(file),
]

export const ffmpeg = (level: 'error' | 'info', ...args: readonly (readonly string[])[]): Command => ({
  program: 'ffmpeg',
  args: ['-nostdin', '-hide_banner', '-nostats', '-y', '-v', level, ...args.flat()],
})

/** Options of a command by name, in this order. */
export const options = (named: Readonly<Record<string, string | number | true>>): readonly string[] =>
  Object.entries(named).flatMap(([name, value]) => (value === true ? [`-${name}`] : [`-${name}`, `${value}`]))

/** Progress is written to standard output. */
export const progress = ['-progress', 'pipe:1'] as const

/** Titles, chapters and subtitles are not part of the house format. */
export const onlyPictureAndSound = ['-map_metadata', '-1', '-map_chapters', '-1', '-sn', '-dn'] as const

export const STEREO = 'aformat=sample_fmts=fltp:channel_layouts=stereo'

/** Sound as it is measured and packaged: from 0 on, without gaps, in stereo. */
export const soundFilters = [
  // Gaps and overlaps of a tenth of a second or more are filled or cut; smaller ones are kept.
  `aresample=${AUDIO_RATE}:min_comp=0.001:first_pts=0`,
  STEREO,
] as const

export function probeCommand(file: string): Command {
  const shown = ['-show_format', '-show_streams', '-show_chapters', '-of', 'json']
  const input = [...PROTOCOLS, '-format_whitelist', CONTAINERS, ...opened(file)]
  return { program: 'ffprobe', args: ['-hide_banner', '-v', 'error', ...shown, ...input] }
}

/** Reads all packets of the video without decoding: the last progress report is its duration. */
export function durationCommand(file: string, video: VideoFacts): Command {
  const copied = ['-map', `0:${video.index}`, '-c', 'copy', '-f', 'null', '-']
  return ffmpeg('error', progress, fetchedInput(file, ['-an', '-sn', '-dn']), copied)
}

/**
 * Measures the loudness of a file with a gain; `readLoudness` reads its summary. Six times cheaper than
 * loudnorm. A meter gets the sound before the gain, and passes it on.
 */
export function loudnessCommand(
  file: string,
  audio: AudioFacts,
  gain: Gain,
  meter: readonly string[] = [],
): Command {
  const filters = [...soundFilters, ...meter, ...gainFilters(gain), 'ebur128=peak=true:framelog=verbose']
  const measured = ['-map', `0:${audio.index}`, '-af', filters.join(','), '-f', 'null', '-']
  return ffmpeg('info', fetchedInput(file, ['-vn', '-sn', '-dn']), measured)
}

/** Makes one file for download from packaged segments, without encoding again. */
export function mp4Command(playlist: string, output: string): Command {
  const copied = [
    '-map',
    '0:v:0',
    '-map',
    '0:a:0',
    '-c',
    'copy',
    '-movflags',
    '+faststart',
    '-f',
    'mp4',
    output,
  ]
  return ffmpeg('error', ['-f', 'hls', ...PROTOCOLS], opened(playlist), onlyPictureAndSound, copied)
}

export const IMAGE_WIDTHS = [320, 640, 1_280] as const
export const imageName = (width: number): string => `${width}.jpg`
export type ImageFormat = 'jpeg_pipe' | 'png_pipe' | 'webp_pipe' | 'gif'

/**
 * A picture in three sizes. Its format is given, because the demuxer that ffmpeg would guess opens name
 * patterns.
 */
export function imageCommand(file: string, format: ImageFormat, folder: string): Command {
  const input = [...PROTOCOLS, '-max_pixels', String(PIXELS_MAXIMUM), '-f', format, ...opened(file)]
  const outputs = IMAGE_WIDTHS.flatMap((width) => [
    ...options({ map: '0:v:0', 'frames:v': 1, vf: imageFilters(width), 'q:v': 3 }),
    ...options({ map_metadata: -1, f: 'image2', update: 1 }),
    `${folder}/${imageName(width)}`,
  ])
  return ffmpeg('error', input, outputs)
}

const imageFilters = (width: number): string =>
  [
    `scale=w='min(${width},iw)':h=-1:flags=area:out_range=pc`,
    // Transparent areas become black in JPEG, as on the screens of players.
    'format=yuvj420p',
  ].join(',')
