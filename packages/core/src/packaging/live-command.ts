import { PICTURE_METER, SOUND_METER } from '../live/signal-meter.ts'
import { type Command, ffmpeg, onlyPictureAndSound, options, STEREO } from './commands.ts'
import { AUDIO_RATE, type HouseFormat } from './house-format.ts'
import type { Ladder, Rung } from './ladder.ts'
import { PIXELS_MAXIMUM, type VideoFacts } from './media-facts.ts'
import { numbered, pictureEncoding, pictureGraph, soundEncoding, UNUSED_PLAYLIST } from './package-command.ts'

export interface LiveOrder {
  /** What comes through the pipe: segments of MPEG-TS, or of fMP4 behind their map. */
  readonly container: 'mpegts' | 'mp4'
  readonly video: VideoFacts
  readonly audioIndex: number
  readonly format: Pick<HouseFormat, 'frameRate' | 'segmentMs'>
  readonly ladder: Ladder
  readonly preset: string
  /** Null leaves the loudness as it is. */
  readonly loudnessLufs: number | null
  /** A whole path, with a folder for each rung and one for the stills. No % may be in its name. */
  readonly folder: string
}

/** ffmpeg lists a few of its segments for itself; which ones are there is seen in the folder. */
const LISTED = 3

/**
 * One ffmpeg that reads a live source from a pipe and makes a segment of every slot, in all renditions, with a still each.
 * A segment has its name only when it is whole. What is measured of the signal is printed to standard output.
 */
export function liveCommand(order: LiveOrder): Command {
  const { ladder, format, video, folder } = order
  return ffmpeg(
    'error',
    options({ fflags: '+genpts+discardcorrupt', max_pixels: PIXELS_MAXIMUM }),
    // What the streams are was probed before: a slow source must not wait for ffmpeg to look for more.
    options({ analyzeduration: 1_000_000, probesize: 1_000_000 }),
    options({ f: order.container, protocol_whitelist: 'pipe', i: 'pipe:0' }),
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
    options({ map: '[still]', fps_mode: 'passthrough', 'q:v': 5 }),
    onlyPictureAndSound,
    options({ f: 'image2', start_number: 0 }),
    [numbered(folder, 'stills', 'jpg')],
  )
}

/**
 * Holes in the sound become silence, and what drifts from its timestamps is pulled back to them. It is measured as the
 * source sends it, before its loudness is changed.
 */
function soundGraph({ audioIndex, ladder, loudnessLufs }: LiveOrder): string {
  const received = [
    `aresample=${AUDIO_RATE}:async=1000:min_hard_comp=0.1:first_pts=0`,
    STEREO,
    'asplit=2[received][metered]',
  ]
  const sent = [
    ...(loudnessLufs === null ? [] : [`loudnorm=I=${loudnessLufs}:TP=-1.5:LRA=11,aresample=${AUDIO_RATE}`]),
    `asplit=${ladder.length}${ladder.map((_, at) => `[a${at}]`).join('')}`,
  ]
  return `[0:${audioIndex}]${received.join(',')};[received]${sent.join(',')};[metered]${SOUND_METER}`
}

function rendition(order: LiveOrder, rung: Rung, at: number): readonly string[] {
  return [
    ...options({ map: `[v${at}]` }),
    ...options({ map: `[a${at}]`, max_muxing_queue_size: 4_096 }),
    ...pictureEncoding(order, rung),
    ...soundEncoding(rung),
    ...onlyPictureAndSound,
    ...options({ f: 'hls', hls_time: order.format.segmentMs / 1_000, hls_list_size: LISTED }),
    ...options({ hls_flags: 'temp_file', hls_segment_type: 'mpegts' }),
    ...options({ hls_segment_filename: numbered(order.folder, rung.name, 'ts') }),
    `${order.folder}/${rung.name}/${UNUSED_PLAYLIST}`,
  ]
}
