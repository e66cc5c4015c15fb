import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFormat } from '@continuity/core/media/house-format'
import { round } from '@continuity/dev/figures'
import { createProgramRunner } from '../../packages/server/src/platform/programs/run-program.ts'
import { proof } from '../proof.ts'
import { makeShapes, type Shape, type ShapeName, shapeNames } from './shapes.ts'
import { hasLoudness, tryShape } from './try-shape.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

const formats: readonly HouseFormat[] = [
  { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 },
  { frameRate: 25, segmentMs: 3_200, loudnessLufs: -24 },
  { frameRate: 30, segmentMs: 6_400, loudnessLufs: -16 },
]

interface Size {
  readonly shapes: readonly ShapeName[]
  readonly formats: number
}

/** The proof stops after so many faults. */
const ENOUGH_FAULTS = 10

export const media = proof<Size>({
  name: 'media',
  title: 'Files of many shapes become the house format',
  promise:
    'Files of every frame rate, aspect ratio, rotation, sound, codec and depth that partners send, some of them very ' +
    'short, with a wrong extension or with sound that is longer than the picture, are packaged. Every byte of every ' +
    'segment is read by a reader that shares no code with the packager: all renditions have the same segments, each ' +
    'begins with an IDR frame, all but the last have one length, no tail is shorter than a GOP, picture and sound ' +
    'continue from one segment to the next to the tick, playlists state what the segments are, ffmpeg decodes every ' +
    'frame without a message, a disc stays a disc, and the loudness is within 1 LU of the target.',
  sizes: {
    small: { shapes: ['rate-23-976', 'wide-pixels', 'long-sound', 'sound-44100', 'lying-name'], formats: 1 },
    full: { shapes: shapeNames, formats: formats.length },
  },
  async run({ size, log }) {
    const folder = await mkdtemp(join(tmpdir(), 'continuity-shapes-'))
    const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })
    const shapes = await makeShapes(folder, size.shapes)
    const faults: string[] = []
    const read = { packages: 0, segments: 0, bytes: 0, seconds: 0, loudness: 0 }
    const tryOne = async (shape: Shape, at: number) => {
      const format = formats[at]!
      const tried = await tryShape({ runProgram }, shape, join(folder, `${shape.name}-${at}`), format)
      faults.push(...tried.faults)
      read.packages += 1
      read.segments += tried.segments
      read.bytes += tried.bytes
      read.seconds += tried.frames / format.frameRate
      read.loudness += tried.loudnessMeasured
    }
    try {
      for (const shape of shapes) {
        for (let at = 0; at < size.formats && faults.length < ENOUGH_FAULTS; at += 1) {
          await tryOne(shape, at).catch((error: unknown) => faults.push(`${shape.name}: ${String(error)}`))
        }
      }
      for (const fault of faults.slice(0, 20)) log(fault)
      // The properties of the files are known from how they were made.
      const packages = size.shapes.length * size.formats
      const seconds = shapes.reduce((sum, { expected }) => sum + Math.max(1.6, expected.seconds), 0)
      return {
        figures: {
          packages_checked: read.packages,
          segments_read: read.segments,
          bytes_read: read.bytes,
          seconds_decoded: round(read.seconds, 1),
          packages_whose_loudness_was_measured: read.loudness,
          faults: faults.length,
        },
        targets: {
          packages_checked: { is: packages },
          segments_read: { atLeast: RENDITIONS * packages },
          bytes_read: { atLeast: RENDITIONS * packages * 10_000 },
          seconds_decoded: { atLeast: round(0.98 * RENDITIONS * size.formats * seconds, 1) },
          packages_whose_loudness_was_measured: {
            is: shapes.filter(({ expected }) => hasLoudness(expected)).length * size.formats,
          },
          faults: { is: 0 },
        },
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})

/** Rungs of the ladder they are packaged with. */
const RENDITIONS = 2
