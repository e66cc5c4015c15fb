import type { HouseFormat } from '@continuity/core/media/house-format'
import type { Ladder, Rung } from '@continuity/core/media/ladder'
import { pictureEncoding, soundEncoding } from '@continuity/core/packaging/package-command'

const quiet = ['-nostdin', '-hide_banner', '-nostats', '-y', '-v', 'error'] as const

/** A film from ffmpeg's test sources. */
export function filmArguments(
  file: string,
  { seconds, size }: { readonly seconds: number; readonly size: string },
): readonly string[] {
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=${size}:r=30`]
  const sound = ['-f', 'lavfi', '-i', "aevalsrc='0.1*sin(600*t)*(1+sin(t))|0.1*random(0)*sin(0.3*t):s=48000'"]
  const encoding = [
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-crf',
    '20',
    '-c:a',
    'aac',
    '-t',
    `${seconds}`,
  ]
  return [...quiet, ...picture, ...sound, ...encoding, file]
}

interface BareOptions {
  readonly ladder: Ladder
  readonly preset: string
  readonly format: HouseFormat
  /** Reads the input in real time. */
  readonly isRealTime?: boolean
}

/** The usual ffmpeg command line for the same renditions. */
export function bareArguments(file: string, folder: string, options: BareOptions): readonly string[] {
  const { ladder, format } = options
  const ends = ladder.map((_, at) => `[in${at}]`).join('')
  const scaled = ladder.map(({ width, height }, at) => `[in${at}]scale=${width}:${height}[v${at}]`)
  const graph = [`[0:v]fps=${format.frameRate},split=${ladder.length}${ends}`, ...scaled].join(';')
  const outputOf = (rung: Rung, at: number) => [
    '-map',
    `[v${at}]`,
    '-map',
    '0:a',
    ...pictureEncoding(options, rung),
    ...soundEncoding(rung),
    '-f',
    'hls',
    '-hls_time',
    `${format.segmentMs / 1_000}`,
    '-hls_playlist_type',
    'vod',
    `${folder}/${rung.name}.m3u8`,
  ]
  const pace = options.isRealTime === true ? ['-re'] : []
  return [...quiet, ...pace, '-i', file, '-filter_complex', graph, ...ladder.flatMap(outputOf)]
}
