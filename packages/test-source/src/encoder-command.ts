import { join } from 'node:path'

export interface TestSourceOptions {
  /** `640x360`. */
  readonly size: string
  readonly frameRate: number
  readonly segmentSeconds: number
  readonly container: 'ts' | 'fmp4'
  /**
   * `muxed` with the video; `rendition`: in its own media playlist, in the same container; `packed`: in its own media
   * playlist, as packed AAC with its timestamps in ID3 tags.
   */
  readonly audio: 'muxed' | 'rendition' | 'packed'
  /** For audio with its own playlist. */
  readonly audioSegmentSeconds: number
  /** A white flash and a beep in each second, to measure the offset between audio and video. */
  readonly hasBeeps: boolean
  /** AES-128, with a new key every few segments. */
  readonly isEncrypted: boolean
  /** 1.01 is a clock that is one percent fast. */
  readonly speed: number
  /** New segments are listed in bursts, with this interval; 0: at once. */
  readonly burstSeconds: number
  /** The first timestamp. Those of MPEG-TS wrap at 2^33 / 90,000 s, which is 26.5 hours. */
  readonly startSeconds: number
  readonly port: number
}

/** Files that ffmpeg writes; a source with separate audio is addressed by `MULTIVARIANT`. */
export const PLAYLIST = 'index.m3u8'
export const AUDIO_PLAYLIST = 'audio.m3u8'
export const MULTIVARIANT = 'multivariant.m3u8'
export const KEY_INFO = 'key-info'

/** The minimum length of a playlist: on a busy machine, readers are sometimes late. */
const WINDOW_SEGMENTS = 6
const WINDOW_SECONDS = 12

/** A tenth of each second, at an offset that differs for five seconds: a shift by whole seconds is detected too. */
const BEEP_TIMES = 'between(mod(t,1)-0.2*mod(floor(t),5),-0.001,0.099)'
export const FLASHES = `drawbox=c=white:t=fill:enable='${BEEP_TIMES}'`
export const BEEPS = `aevalsrc='sin(2*PI*1000*t)*${BEEP_TIMES}'`

/** `isAgain`: append to the existing segments, after a discontinuity. */
export function encoderArgs(folder: string, options: TestSourceOptions, isAgain: boolean): string[] {
  const { size, frameRate, speed, audio, hasBeeps } = options
  const input = ['-readrate', `${speed}`, '-f', 'lavfi', '-i']
  const flash = hasBeeps ? `,${FLASHES}` : ''
  const tone = hasBeeps ? `${BEEPS}:sample_rate=48000` : 'sine=frequency=440:sample_rate=48000'
  const gop = `${Math.round(frameRate * options.segmentSeconds)}`
  const picture = [
    ['-map', '0:v', '-c:v', 'libx264', '-preset', 'ultrafast', '-tune', 'zerolatency'],
    ['-pix_fmt', 'yuv420p', '-g', gop, '-keyint_min', gop, '-sc_threshold', '0'],
  ].flat()
  const sound = ['-map', '1:a', '-c:a', 'aac', '-b:a', '96k']
  return [
    ['-nostdin', '-v', 'error', '-y'],
    [...input, `testsrc2=size=${size}:rate=${frameRate}${flash}`, ...input, tone],
    picture,
    audio === 'muxed' ? sound : [],
    hlsOutput(folder, options, isAgain, { prefix: '', seconds: options.segmentSeconds, playlist: PLAYLIST }),
    ...(audio === 'muxed' ? [] : [sound, audioOutput(folder, options, isAgain)]),
  ].flat()
}

const audioOutput = (folder: string, options: TestSourceOptions, isAgain: boolean): string[] =>
  hlsOutput(folder, options, isAgain, {
    prefix: 'audio-',
    seconds: options.audioSegmentSeconds,
    playlist: AUDIO_PLAYLIST,
  })

interface HlsOutput {
  readonly prefix: string
  readonly seconds: number
  readonly playlist: string
}

function hlsOutput(
  folder: string,
  { container, isEncrypted, burstSeconds, startSeconds }: TestSourceOptions,
  isAgain: boolean,
  { prefix, seconds, playlist }: HlsOutput,
): string[] {
  const flags = [
    'delete_segments',
    'program_date_time',
    'omit_endlist',
    'temp_file',
    ...(isAgain ? ['append_list', 'discont_start'] : []),
    ...(isEncrypted ? ['periodic_rekey'] : []),
  ]
  // Segments of a playlist that is one burst old must still exist.
  const inBurst = Math.ceil(burstSeconds / seconds)
  const inWindow = Math.max(WINDOW_SEGMENTS, Math.ceil(WINDOW_SECONDS / seconds))
  return [
    ['-output_ts_offset', `${startSeconds}`],
    ['-f', 'hls', '-hls_time', `${seconds}`, '-hls_list_size', `${inWindow + inBurst}`],
    ['-hls_delete_threshold', `${1 + inBurst}`, '-hls_flags', flags.join('+')],
    ['-hls_segment_type', container === 'ts' ? 'mpegts' : 'fmp4'],
    container === 'ts' ? [] : ['-hls_fmp4_init_filename', `${prefix}init.mp4`],
    ['-hls_segment_filename', join(folder, `${prefix}%d.${container === 'ts' ? 'ts' : 'm4s'}`)],
    isEncrypted ? ['-hls_key_info_file', join(folder, KEY_INFO)] : [],
    [join(folder, playlist)],
  ].flat()
}

export function printMultivariant({ size }: TestSourceOptions): string {
  return [
    '#EXTM3U',
    '#EXT-X-VERSION:6',
    `#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",DEFAULT=YES,AUTOSELECT=YES,URI="${AUDIO_PLAYLIST}"`,
    `#EXT-X-STREAM-INF:BANDWIDTH=2000000,RESOLUTION=${size},AUDIO="sound"`,
    PLAYLIST,
    '',
  ].join('\n')
}
