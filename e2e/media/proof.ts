import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFormat } from '@continuity/core/packaging/house-format'
import { createProgramRunner } from '../../packages/server/src/platform/programs/run-program.ts'
import { proof } from '../proofs/proof.ts'
import { makeShapes, type ShapeName, shapeNames } from './shapes.ts'
import { tryShape } from './try-shape.ts'

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

export const media = proof<Size>({
  name: 'media',
  title: 'Files of many shapes become the house format',
  promise:
    'Files of every frame rate, shape of picture, rotation, sound, codec and depth that partners send, some of them ' +
    'very short, with names that lie or with sound that is longer than the picture, are packaged. Every byte of every ' +
    'segment is read by a reader that shares no code with what made it: all renditions have the same segments, each ' +
    'begins with an IDR frame, none but the last differs in length, no tail is shorter than a GOP, picture and sound ' +
    'go on from one segment to the next to the tick, playlists tell the truth, ffmpeg decodes all of it without a ' +
    'word, a disc stays a disc, and the loudness is within 1 LU of what was ordered.',
  sizes: {
    small: { shapes: ['rate-23-976', 'wide-pixels', 'long-sound', 'short'], formats: 1 },
    full: { shapes: shapeNames, formats: formats.length },
  },
  async run({ size, say }) {
    const folder = await mkdtemp(join(tmpdir(), 'continuity-shapes-'))
    const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })
    try {
      const faults: string[] = []
      for (const shape of await makeShapes(folder, size.shapes)) {
        for (const [at, format] of formats.slice(0, size.formats).entries()) {
          const found = await tryShape({ runProgram }, shape, join(folder, `${shape.name}-${at}`), format)
          for (const fault of found) say(fault)
          faults.push(...found)
        }
      }
      return {
        figures: {
          shapes: size.shapes.length,
          packages: size.shapes.length * size.formats,
          faults: faults.length,
        },
        targets: { shapes: { is: size.shapes.length }, faults: { is: 0 } },
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})
