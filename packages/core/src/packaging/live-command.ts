import { AUDIO_RATE, type HouseFormat } from '../media/house-format.ts'
import type { Ladder, Rung } from '../media/ladder.ts'
import { PICTURE_METER, SOUND_METER } from '../media/signal-meter.ts'
import { type Command, ffmpeg, onlyPictureAndSound, options, STEREO } from './commands.ts'
import { levelGraph } from './live-level.ts'
import { PIXELS_MAXIMUM, type VideoFacts } from './media-facts.ts'
import { numbered, pictureEncoding, pictureGraph, soundEncoding, UNUSED_PLAYLIST } from './package-command.ts'

/** The format of a pipe: segments of MPEG-TS, or of fMP4 after their map. */
export type LiveContainer = 'mpegts' | 'mp4'

export type LiveSound =
  /** In the stream of the picture. */
  | { readonly kind: 'muxed'; readonly index: number }
  /** From its own pipe. After its end, silence follows. */
  | {
      readonly kind: 'demuxed'
      readonly container: LiveContainer
      readonly index: number
      /** Its start relative to that of the picture. */
      readonly offsetMs: number
    }
  | { readonly kind: 'silence' }

export interface LiveCommandParams {
  readonly container: LiveContainer
  readonly video: VideoFacts
  readonly sound: LiveSound
  readonly format: Pick<HouseFormat, 'frameRate' | 'segmentMs'>
  readonly ladder: Ladder
  readonly preset: string
  /** Null keeps the loudness unchanged. */
  readonly loudnessLufs: number | null
  /** An absolute path, with a folder for each rung and one for the stills. Its name must not contain %. */
  readonly folder: string
}

/** File descriptors of its inputs: standard input, and the first one after its outputs. */
const PICTURE_PIPE = 0
const SOUND_PIPE = 3

/**
 * Lost segments of sound leave a gap in its timestamps, which becomes silence. ffmpeg treats a longer gap as a
 * clock change and joins both sides: sound would be early from there on.
 */
const LOST_SOUND_SECONDS = 60

/** ffmpeg lists a few of its segments in its own playlist; the folder shows which ones exist. */
const LISTED = 3

/**
 * One ffmpeg that reads a live source from a pipe, or video and audio from two, and makes a segment of every
 * slot, in all renditions, with a still each. A segment gets its name only when it is complete. Signal
 * measurements are printed to standard output.
 */
export function liveCommand(params: LiveCommandParams): Command {
  const { ladder, format, video, folder, sound } = params
  return ffmpeg(
    'error',
    sound.kind === 'demuxed' ? options({ dts_delta_threshold: LOST_SOUND_SECONDS }) : [],
    pipeInput(params.container, PICTURE_PIPE),
    sound.kind === 'demuxed'
      ? [...options({ itsoffset: sound.offsetMs / 1_000 }), ...pipeInput(sound.container, SOUND_PIPE)]
      : [],
    [
      '-filter_complex',
      pictureGraph({
        ...params,
        facts: { video },
        segmentMs: format.segmentMs,
        padToFrames: undefined,
        meter: PICTURE_METER,
      }),
    ],
    ['-filter_complex', soundGraph(params)],
    ...ladder.map((rung, at) => rendition(params, rung, at)),
    // With more threads, a still would wait for the next one, and the muxer for the still.
    options({ map: '[still]', fps_mode: 'passthrough', 'q:v': 5, threads: 1 }),
    onlyPictureAndSound,
    options({ f: 'image2', start_number: 0 }),
    [numbered(folder, 'stills', 'jpg')],
  )
}

const pipeInput = (container: LiveContainer, pipe: number): readonly string[] => [
  ...options({ fflags: '+genpts+discardcorrupt', max_pixels: PIXELS_MAXIMUM }),
  // The streams were probed before: ffmpeg must not delay a slow source by looking for more.
  ...options({ analyzeduration: 1_000_000, probesize: 1_000_000 }),
  ...options({ f: container, protocol_whitelist: 'pipe', i: `pipe:${pipe}` }),
]

/**
 * Gaps in the sound become silence, and drift from its timestamps is corrected. It is measured as received,
 * before its loudness is changed.
 */
function soundGraph({ sound, ladder, loudnessLufs }: LiveCommandParams): string {
  const outputs = `asplit=${ladder.length}${ladder.map((_, at) => `[a${at}]`).join('')}`
  const input =
    sound.kind === 'silence'
      ? `anullsrc=r=${AUDIO_RATE}:cl=stereo,`
      : `[${sound.kind === 'demuxed' ? 1 : 0}:${sound.index}]`
  const received = [
    `aresample=${AUDIO_RATE}:async=1000:min_hard_comp=0.1:first_pts=0`,
    STEREO,
    ...(sound.kind === 'demuxed' ? ['apad'] : []),
    'asplit=2[received][metered]',
  ]
  const sent = [loudnessLufs === null ? '[received]anull' : levelGraph(loudnessLufs), outputs]
  return `${input}${received.join(',')};${sent.join(',')};[metered]${SOUND_METER}`
}

function rendition(params: LiveCommandParams, rung: Rung, at: number): readonly string[] {
  return [
    ...options({ map: `[v${at}]` }),
    ...options({ map: `[a${at}]`, max_muxing_queue_size: 4_096 }),
    // Separate video and audio inputs wait for each other, however late one is, and end with the video.
    ...(params.sound.kind === 'muxed' ? [] : options({ shortest: true, max_interleave_delta: 0 })),
    ...pictureEncoding(params, rung),
    ...soundEncoding(rung),
    ...onlyPictureAndSound,
    ...options({ f: 'hls', hls_time: params.format.segmentMs / 1_000, hls_list_size: LISTED }),
    ...options({ hls_flags: 'temp_file', hls_segment_type: 'mpegts' }),
    ...options({ hls_segment_filename: numbered(params.folder, rung.name, 'ts') }),
    `${params.folder}/${rung.name}/${UNUSED_PLAYLIST}`,
  ]
}
