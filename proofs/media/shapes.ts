import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { runTool } from '@continuity/dev/run-tool'
import { type Drawing, drawing, sounds } from './shape-sources.ts'

/** A small file of a kind that partners send, and its properties. */
export interface Shape {
  readonly name: string
  readonly file: string
  readonly expected: {
    readonly seconds: number
    /** Display size. */
    readonly width: number
    readonly height: number
    readonly rotation: number
    readonly channels: number | null
    readonly isHdr: boolean
    readonly isInterlaced: boolean
    /** Start of the sound; silence before. */
    readonly soundFrom: number
  }
}

export const shapeNames = [
  'rate-25',
  'rate-23-976',
  'rate-29-97',
  'rate-variable',
  'four-by-three',
  'vertical',
  'rotated',
  'wide-pixels',
  'mono',
  'surround',
  'no-sound',
  'sound-44100',
  'peaks',
  'long-sound',
  'short-sound',
  'late-sound',
  'hevc',
  'ten-bit',
  'hdr',
  'interlaced',
  'open-gop',
  'short',
  'lying-name',
] as const
export type ShapeName = (typeof shapeNames)[number]

/** Makes the named files. */
export async function makeShapes(
  folder: string,
  names: readonly ShapeName[] = shapeNames,
): Promise<readonly Shape[]> {
  const made: Shape[] = []
  for (const name of names) made.push(await makeShape(folder, name))
  return made
}

interface Recipe extends Partial<Drawing> {
  readonly sound?: keyof typeof sounds | null
  readonly soundSeconds?: number
  readonly lateBy?: number
  /** ffmpeg filter, and output options. */
  readonly filter?: string
  readonly video?: readonly string[]
  readonly extension?: string
  readonly expected?: Partial<Shape['expected']>
}

const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
const x265 = ['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', 'log-level=error']
const tv2100 = ['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc']

const recipes: Readonly<Record<ShapeName, Recipe>> = {
  'rate-25': { rate: '25', seconds: 7 },
  'rate-23-976': { rate: '24000/1001', seconds: 6.9 },
  'rate-29-97': { rate: '30000/1001' },
  'rate-variable': { filter: ",select='not(between(mod(n,10),3,6))'", video: [...x264, '-fps_mode', 'vfr'] },
  'four-by-three': { width: 160, height: 120 },
  vertical: { width: 90, height: 160 },
  rotated: { expected: { width: 90, height: 160, rotation: 270 } },
  'wide-pixels': { width: 120, height: 90, pixelWidth: 4 / 3, expected: { width: 160 } },
  mono: { sound: 'mono' },
  surround: { sound: 'surround' },
  'no-sound': { sound: null },
  'sound-44100': { sound: 'cd' },
  peaks: { sound: 'peaks' },
  'long-sound': { soundSeconds: 12, seconds: 5.2 },
  'short-sound': { soundSeconds: 1.5, seconds: 5 },
  'late-sound': { lateBy: 0.7, seconds: 5, extension: 'ts', expected: { soundFrom: 0.7 } },
  hevc: { video: [...x265, '-pix_fmt', 'yuv420p'], seconds: 3.7 },
  'ten-bit': { video: ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le'] },
  hdr: {
    video: [...x265, '-pix_fmt', 'yuv420p10le', ...tv2100],
    seconds: 2,
    extension: 'mkv',
    expected: { isHdr: true },
  },
  interlaced: {
    video: [...x264, '-flags', '+ildct+ilme', '-x264opts', 'tff=1'],
    height: 96,
    expected: { isInterlaced: true },
  },
  'open-gop': { video: ['-c:v', 'libx264', '-x264-params', 'open-gop=1:keyint=20:bframes=3:b-adapt=0'] },
  short: { seconds: 0.4 },
  'lying-name': { extension: 'mkv' },
}

async function makeShape(folder: string, name: ShapeName): Promise<Shape> {
  const recipe = recipes[name]
  const drawn: Drawing = { width: 160, height: 90, rate: '30', seconds: 4.3, pixelWidth: 1, ...recipe }
  const sound =
    recipe.sound === undefined ? sounds.stereo : recipe.sound === null ? null : sounds[recipe.sound]
  const file = join(folder, `${name}.${recipe.extension ?? 'mp4'}`)
  const made = name === 'lying-name' ? `${file}.avi` : file
  const pictureInput = ['-v', 'error', '-y', '-f', 'lavfi', '-i', drawing(drawn) + (recipe.filter ?? '')]
  const soundInput =
    sound === null
      ? []
      : [
          '-itsoffset',
          `${recipe.lateBy ?? 0}`,
          '-f',
          'lavfi',
          '-t',
          `${recipe.soundSeconds ?? drawn.seconds}`,
          '-i',
          sound.source,
        ]
  await runTool('ffmpeg', [
    ...pictureInput,
    ...soundInput,
    ...(recipe.video ?? x264),
    ...(sound === null ? [] : ['-c:a', 'aac', ...sound.encoding]),
    made,
  ])
  if (made !== file) await rename(made, file)
  if (name === 'rotated') await rotate(file)
  return {
    name,
    file,
    expected: {
      seconds: drawn.seconds,
      width: drawn.width,
      height: drawn.height,
      rotation: 0,
      channels: sound === null ? null : sound.channels,
      isHdr: false,
      isInterlaced: false,
      soundFrom: 0,
      ...recipe.expected,
    },
  }
}

/** As phones do: the picture is stored unrotated with a rotation flag. */
async function rotate(file: string): Promise<void> {
  const copied = [
    '-v',
    'error',
    '-y',
    '-i',
    file,
    '-c',
    'copy',
    '-metadata:s:v:0',
    'rotate=90',
    `${file}.mp4`,
  ]
  await runTool('ffmpeg', copied)
  await rename(`${file}.mp4`, file)
}
