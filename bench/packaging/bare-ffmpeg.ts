import type { HouseFormat } from '@continuity/core/packaging/house-format'
import type { Ladder, Rung } from '@continuity/core/packaging/ladder'
import { pictureEncoding, soundEncoding } from '@continuity/core/packaging/package-command'

const quiet = ['-nostdin', '-hide_banner', '-nostats', '-y', '-v', 'error'] as const

/** A film out of ffmpeg's own test sources. */
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

interface BareOrder {
  readonly ladder: Ladder
  readonly preset: string
  readonly format: HouseFormat
  /** Read as fast as it plays. */
  readonly isRealTime?: boolean
}

/** What anybody would type to get the same renditions. */
export function bareArguments(file: string, folder: string, order: BareOrder): readonly string[] {
  const { ladder, format } = order
  const ends = ladder.map((_, at) => `[in${at}]`).join('')
  const scaled = ladder.map(({ width, height }, at) => `[in${at}]scale=${width}:${height}[v${at}]`)
  const graph = [`[0:v]fps=${format.frameRate},split=${ladder.length}${ends}`, ...scaled].join(';')
  const outputOf = (rung: Rung, at: number) => [
    '-map',
    `[v${at}]`,
    '-map',
    '0:a',
    ...pictureEncoding(order, rung),
    ...soundEncoding(rung),
    '-f',
    'hls',
    '-hls_time',
    `${format.segmentMs / 1_000}`,
    '-hls_playlist_type',
    'vod',
    `${folder}/${rung.name}.m3u8`,
  ]
  const pace = order.isRealTime === true ? ['-re'] : []
  return [...quiet, ...pace, '-i', file, '-filter_complex', graph, ...ladder.flatMap(outputOf)]
}
