import { AUDIO_RATE, framesPerGop, GOP_MS, type HouseFormat, type SegmentMs } from '../media/house-format.ts'
import type { Ladder } from '../media/ladder.ts'
import { type Command, ffmpeg, onlyPictureAndSound, options } from './commands.ts'
import { fitInto, hlsOutput, pictureEncoding, STILL_FILTERS, soundEncoding } from './package-command.ts'
import { filterValue, letterHeight, type SlatePicture } from './slate-picture.ts'

interface SlateLoop {
  /** Absolute path. Contains one MP4 for each rung and the still. */
  readonly loopFolder: string
  readonly ladder: Ladder
}

export interface DrawSlateParams extends SlateLoop {
  readonly format: HouseFormat
  readonly preset: string
  readonly picture: SlatePicture
  /** Absolute path of a font. */
  readonly font: string
}

/** Files that contain the text of the picture, so that it never becomes part of a command. */
export const slateLines = (
  loopFolder: string,
  { headline, name }: SlatePicture,
): readonly { readonly file: string; readonly text: string }[] => [
  { file: `${loopFolder}/headline.txt`, text: headline },
  { file: `${loopFolder}/name.txt`, text: name },
]

/** The picture of a slate, for each of its segments. */
export const slateStill = (loopFolder: string): string => `${loopFolder}/still.jpg`

const loopFile = (loopFolder: string, rung: string): string => `${loopFolder}/${rung}.mp4`

/**
 * Draws a still picture and encodes one GOP of it with silence, for each rung. Video and audio end at the same
 * tick, so that the GOP can be repeated without a gap in either.
 */
export function drawSlateCommand(params: DrawSlateParams): Command {
  const { loopFolder, ladder, format, preset } = params
  const { width, height } = ladder.at(-1)!
  const frames = framesPerGop(format.frameRate)
  const picture = [
    `gradients=s=${width}x${height}:r=${format.frameRate}:d=1:n=3:c0=0x0b1220:c1=0x16283c:c2=0x0e1a2b:seed=7`,
    'trim=end_frame=1',
    ...pictureFilters(params, width, height),
    'scale=out_color_matrix=bt709:out_range=tv',
    'format=yuv420p',
    'split=2[once][repeated]',
  ].join(',')
  const repeated = `[repeated]loop=loop=${frames - 1}:size=1,setpts=N/${format.frameRate}/TB,split=${ladder.length}`
  const rungs = ladder.map((rung, at) => `[in${at}]${fitInto(rung)}[v${at}]`)
  const graph = [
    picture,
    `[once]${STILL_FILTERS}[still]`,
    `${repeated}${ladder.map((_, at) => `[in${at}]`).join('')}`,
    ...rungs,
  ]
  const samples = (AUDIO_RATE * GOP_MS) / 1_000
  const silence = `anullsrc=r=${AUDIO_RATE}:cl=stereo,atrim=end_sample=${samples},asplit=${ladder.length}`
  return ffmpeg(
    'error',
    ['-filter_complex', graph.join(';')],
    ['-filter_complex', `${silence}${ladder.map((_, at) => `[a${at}]`).join('')}`],
    ...ladder.flatMap((rung, at) => [
      options({ map: `[v${at}]` }),
      options({ map: `[a${at}]` }),
      pictureEncoding({ format, preset }, rung),
      // Quality-based, below the rate of the rung: nothing moves.
      options({ crf: 18 }),
      soundEncoding(rung),
      options({ f: 'mp4' }),
      [loopFile(loopFolder, rung.name)],
    ]),
    options({ map: '[still]', 'frames:v': 1, 'q:v': 5, f: 'image2', update: 1 }),
    [slateStill(loopFolder)],
  )
}

/** The headline in the middle, the name below it, and a bar in the colour of the slate between them. */
function pictureFilters(
  { loopFolder, picture, font }: DrawSlateParams,
  width: number,
  height: number,
): readonly string[] {
  const [headline, name] = slateLines(loopFolder, picture)
  const [barWidth, barHeight] = [Math.round(width / 12), Math.max(2, Math.round(height / 180))]
  const bar = `drawbox=x=${Math.round((width - barWidth) / 2)}:y=${Math.round(height * 0.56)}`
  const drawn = (line: typeof headline, largest: number, colour: string, y: string) =>
    line === undefined || line.text === ''
      ? []
      : [
          `drawtext=fontfile=${filterValue(font)}:textfile=${filterValue(line.file)}:expansion=none` +
            `:fontsize=${letterHeight(line.text, width, largest)}:fontcolor=${colour}:x=(w-text_w)/2:y=${y}`,
        ]
  return [
    ...drawn(headline, Math.round(height / 11), 'white', `h*0.47-text_h/2`),
    `${bar}:w=${barWidth}:h=${barHeight}:color=${picture.accent}:t=fill`,
    ...drawn(name, Math.round(height / 20), '0xc9d4e0', `h*0.66-text_h/2`),
  ]
}

export interface RepeatSlateParams extends SlateLoop {
  readonly folder: string
  readonly segmentMs: SegmentMs
  readonly gops: number
}

/** Packages a slate of this many GOPs from the encoded one, without encoding again. */
export function repeatSlateCommand({
  loopFolder,
  ladder,
  folder,
  segmentMs,
  gops,
}: RepeatSlateParams): Command {
  const inputs = ladder.flatMap(({ name }) => [
    ...options({ stream_loop: gops - 1, protocol_whitelist: 'file' }),
    '-i',
    `file:${loopFile(loopFolder, name)}`,
  ])
  const outputs = ladder.flatMap(({ name }, at) => [
    ...options({ map: `${at}:v:0` }),
    ...options({ map: `${at}:a:0`, c: 'copy' }),
    ...onlyPictureAndSound,
    ...hlsOutput({ folder, segmentMs }, name),
  ])
  return ffmpeg('error', inputs, outputs)
}
