import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { options } from '@continuity/core/packaging/commands'
import { BEEPS, FLASHES } from '@continuity/test-source/encoder-command'
import { packAudio } from '@continuity/test-source/packed-audio'

const run = promisify(execFile)

export interface DemuxedShape {
  readonly video: 'ts' | 'fmp4'
  readonly audio: 'ts' | 'fmp4' | 'packed'
  /** Length of a segment. */
  readonly videoSeconds: number
  readonly audioSeconds: number
  /** The first timestamp. */
  readonly startSeconds: number
  /** Prefix of its file names. */
  readonly prefix?: string
}

export interface MadeSource {
  readonly video: MadeTrack
  readonly audio: MadeTrack
}

/** A media playlist of a source that has ended, with its files. */
export interface MadeTrack {
  readonly files: Readonly<Record<string, Buffer>>
  readonly segments: readonly { readonly name: string; readonly lines: string }[]
  /** Tags of its playlist. */
  readonly target: string
  readonly seconds: number
  readonly map: string
}

const SECONDS = 24
/** Delay that ffmpeg adds to the requested start of MPEG-TS. */
const MUX_DELAY_SECONDS = 1.4

/** Video and audio of a source, each with its own segment length, with a flash and a beep in each second. */
export async function makeDemuxed(shape: DemuxedShape): Promise<MadeSource> {
  const { video, audio, videoSeconds, audioSeconds, startSeconds, prefix = '' } = shape
  const folder = await mkdtemp(join(tmpdir(), 'continuity-demuxed-'))
  const output = (name: string, container: string, seconds: number) => {
    const isMp4 = container === 'fmp4'
    const offset = startSeconds - (isMp4 ? 0 : MUX_DELAY_SECONDS)
    return [
      ...options({ output_ts_offset: offset, f: 'hls', hls_time: seconds, hls_list_size: 0 }),
      ...options({ hls_segment_type: isMp4 ? 'fmp4' : 'mpegts' }),
      ...options({ hls_fmp4_init_filename: `${prefix}${name}-init` }),
      ...options({ hls_segment_filename: join(folder, `${prefix}${name}-%d`) }),
      join(folder, `${name}.m3u8`),
    ]
  }
  const gop = 25 * videoSeconds
  const args = [
    ...options({ v: 'error', f: 'lavfi', i: `testsrc2=size=192x108:rate=25:duration=${SECONDS},${FLASHES}` }),
    ...options({ f: 'lavfi', i: `${BEEPS}:sample_rate=44100:duration=${SECONDS}` }),
    // With B-frames, as encoders of sources have them.
    ...options({ map: '0:v', 'c:v': 'libx264', preset: 'ultrafast', bf: 2, pix_fmt: 'yuv420p' }),
    ...options({ g: gop, keyint_min: gop, sc_threshold: 0 }),
    ...output('video', video, videoSeconds),
    ...options({ map: '1:a', 'c:a': 'aac' }),
    ...output('audio', audio === 'fmp4' ? 'fmp4' : 'ts', audioSeconds),
  ]
  try {
    await run('ffmpeg', args)
    return {
      video: await readTrackFiles(folder, 'video', videoSeconds, (bytes) => bytes),
      audio: await readTrackFiles(
        folder,
        'audio',
        audioSeconds,
        audio === 'packed' ? packAudio : (bytes) => bytes,
      ),
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function readTrackFiles(
  folder: string,
  name: string,
  seconds: number,
  pack: (bytes: Buffer) => Buffer,
): Promise<MadeTrack> {
  const text = await readFile(join(folder, `${name}.m3u8`), 'utf8')
  const segments = [...text.matchAll(/#EXTINF:.*\n(.*)\n/g)].map(([lines, segment]) => ({
    name: segment!,
    lines,
  }))
  const map = /#EXT-X-MAP:URI="(.*)"\n/.exec(text)
  const files: Record<string, Buffer> = {}
  for (const segment of segments) files[segment.name] = pack(await readFile(join(folder, segment.name)))
  if (map !== null) files[map[1]!] = await readFile(join(folder, map[1]!))
  const target = /#EXT-X-TARGETDURATION:.*\n/.exec(text)![0]
  return { files, segments, target, seconds, map: map?.[0] ?? '' }
}

/** A playlist of these segments, of one or several sources in sequence; the first has this number. */
export function listTrack(
  first: number,
  parts: readonly (readonly [track: MadeTrack, from: number, to: number])[],
  end = '',
): string {
  const listed = parts.map(
    ([{ segments, map }, from, to]) =>
      map +
      segments
        .slice(from, to)
        .map(({ lines }) => lines)
        .join(''),
  )
  return `#EXTM3U\n${parts[0]![0].target}#EXT-X-MEDIA-SEQUENCE:${first}\n${listed.join('#EXT-X-DISCONTINUITY\n')}${end}`
}

export const MULTIVARIANT = [
  '#EXTM3U',
  '#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="sound",NAME="English",DEFAULT=YES,URI="audio.m3u8"',
  '#EXT-X-STREAM-INF:BANDWIDTH=900000,RESOLUTION=192x108,AUDIO="sound"',
  'video.m3u8',
].join('\n')
