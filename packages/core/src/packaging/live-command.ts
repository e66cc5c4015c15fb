import { PICTURE_METER, SOUND_METER } from '../live/signal-meter.ts'
import { type Command, ffmpeg, onlyPictureAndSound, options, STEREO } from './commands.ts'
import { AUDIO_RATE, type HouseFormat } from './house-format.ts'
import type { Ladder, Rung } from './ladder.ts'
import { levelGraph } from './live-level.ts'
import { PIXELS_MAXIMUM, type VideoFacts } from './media-facts.ts'
import { numbered, pictureEncoding, pictureGraph, soundEncoding, UNUSED_PLAYLIST } from './package-command.ts'

/** What comes through a pipe: segments of MPEG-TS, or of fMP4 behind their map. */
export type LiveContainer = 'mpegts' | 'mp4'

export type LiveSound =
  /** In the stream of the picture. */
  | { readonly kind: 'muxed'; readonly index: number }
  /** From a pipe of its own. When that ends, silence follows. */
  | {
      readonly kind: 'demuxed'
      readonly container: LiveContainer
      readonly index: number
      /** Its beginning after that of the picture. */
      readonly offsetMs: number
    }
  | { readonly kind: 'silence' }

export interface LiveOrder {
  readonly container: LiveContainer
  readonly video: VideoFacts
  readonly sound: LiveSound
  readonly format: Pick<HouseFormat, 'frameRate' | 'segmentMs'>
  readonly ladder: Ladder
  readonly preset: string
  /** Null leaves the loudness as it is. */
  readonly loudnessLufs: number | null
  /** A whole path, with a folder for each rung and one for the stills. No % may be in its name. */
  readonly folder: string
}

/** Descriptors that it reads from: its standard input, and the first one behind its outputs. */
const PICTURE_PIPE = 0
const SOUND_PIPE = 3

/**
 * Lost segments of sound leave a hole in its timestamps, which is silence. ffmpeg takes a longer one for another clock and
 * joins what is around it: sound would be early from there on.
 */
const LOST_SOUND_SECONDS = 60

/** ffmpeg lists a few of its segments for itself; which ones are there is seen in the folder. */
const LISTED = 3

/**
 * One ffmpeg that reads a live source from a pipe, or picture and sound from two, and makes a segment of every slot, in all
 * renditions, with a still each. A segment has its name only when it is whole. What is measured of the signal is printed to
 * standard output.
 */
export function liveCommand(order: LiveOrder): Command {
  const { ladder, format, video, folder, sound } = order
  return ffmpeg(
    'error',
    sound.kind === 'demuxed' ? options({ dts_delta_threshold: LOST_SOUND_SECONDS }) : [],
    pipeInput(order.container, PICTURE_PIPE),
    sound.kind === 'demuxed'
      ? [...options({ itsoffset: sound.offsetMs / 1_000 }), ...pipeInput(sound.container, SOUND_PIPE)]
      : [],
    [
      '-filter_complex',
      pictureGraph({
        ...order,
        facts: { video },
        segmentMs: format.segmentMs,
        padToFrames: undefined,
        meter: PICTURE_METER,
      }),
    ],
    ['-filter_complex', soundGraph(order)],
    ...ladder.map((rung, at) => rendition(order, rung, at)),
    // With more threads a still would wait for the one after it, and what is muxed with a picture for the still.
    options({ map: '[still]', fps_mode: 'passthrough', 'q:v': 5, threads: 1 }),
    onlyPictureAndSound,
    options({ f: 'image2', start_number: 0 }),
    [numbered(folder, 'stills', 'jpg')],
  )
}

const pipeInput = (container: LiveContainer, pipe: number): readonly string[] => [
  ...options({ fflags: '+genpts+discardcorrupt', max_pixels: PIXELS_MAXIMUM }),
  // What the streams are was probed before: a slow source must not wait for ffmpeg to look for more.
  ...options({ analyzeduration: 1_000_000, probesize: 1_000_000 }),
  ...options({ f: container, protocol_whitelist: 'pipe', i: `pipe:${pipe}` }),
]

/**
 * Holes in the sound become silence, and what drifts from its timestamps is pulled back to them. It is measured as the
 * source sends it, before its loudness is changed.
 */
function soundGraph({ sound, ladder, loudnessLufs }: LiveOrder): string {
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

function rendition(order: LiveOrder, rung: Rung, at: number): readonly string[] {
  return [
    ...options({ map: `[v${at}]` }),
    ...options({ map: `[a${at}]`, max_muxing_queue_size: 4_096 }),
    // Picture and sound that come by themselves wait for each other, however late one is, and end with the picture.
    ...(order.sound.kind === 'muxed' ? [] : options({ shortest: true, max_interleave_delta: 0 })),
    ...pictureEncoding(order, rung),
    ...soundEncoding(rung),
    ...onlyPictureAndSound,
    ...options({ f: 'hls', hls_time: order.format.segmentMs / 1_000, hls_list_size: LISTED }),
    ...options({ hls_flags: 'temp_file', hls_segment_type: 'mpegts' }),
    ...options({ hls_segment_filename: numbered(order.folder, rung.name, 'ts') }),
    `${order.folder}/${rung.name}/${UNUSED_PLAYLIST}`,
  ]
}
