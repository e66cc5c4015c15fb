import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { HouseFormat } from '@continuity/core/media/house-format'
import { createProgramRunner } from '../../packages/server/src/platform/programs/run-program.ts'
import { createDraw } from '../draw.ts'
import { proof } from '../proofs/proof.ts'
import { type Film, type TriedFilm, tryFilm } from './try-film.ts'

const silent = { debug() {}, info() {}, warn() {}, error() {} }

const formats: readonly HouseFormat[] = [
  { frameRate: 30, segmentMs: 3_200, loudnessLufs: -23 },
  { frameRate: 25, segmentMs: 6_400, loudnessLufs: -23 },
  { frameRate: 25, segmentMs: 3_200, loudnessLufs: -23 },
  { frameRate: 30, segmentMs: 6_400, loudnessLufs: -23 },
]

export const cuePoints = proof({
  name: 'cue-points',
  title: 'Breaks at cue points, to the frame',
  promise:
    'Films whose frames show their numbers are packaged with cue points at random times. Each is played without ' +
    'breaks, and with a slate at every cue point, and every frame is read. The last frame before a break and the first ' +
    'after it are those of the cue point, no frame is missing, repeated or out of order, and ffmpeg decodes across every ' +
    'join without a message. Every segment is also read byte by byte: it begins with an IDR frame, none is shorter than ' +
    'a GOP or longer than the target duration, picture and sound continue from one to the next to the tick, and the ' +
    'sound of a part begins less than one AAC frame after its picture, however many cue points precede it.',
  watches: [
    'packages/core/src/media/cue-points.ts',
    'packages/core/src/packaging',
    'packages/server/src/modules/assets/packaging',
    'e2e/cue-points',
  ],
  sabotage: {
    title: 'cue points are moved to the frame before them',
    changes: [
      {
        file: 'packages/core/src/media/cue-points.ts',
        from: 'Math.round((ms * frameRate) / 1_000)',
        to: 'Math.floor((ms * frameRate) / 1_000)',
      },
    ],
    missed: ['breaks_with_a_wrong_last_frame', 'breaks_with_a_wrong_first_frame'],
  },
  sizes: { small: { films: 2, cuePoints: 10 }, full: { films: 4, cuePoints: 50 } },
  async run({ size, seed, log }) {
    const root = await mkdtemp(join(tmpdir(), 'continuity-cue-points-'))
    const runProgram = createProgramRunner({ path: process.env['PATH'] ?? '', logger: silent })
    const films = drawFilms(size, seed)
    const tried: TriedFilm[] = []
    try {
      for (const film of films) tried.push(await tryFilm({ runProgram }, root, film))
    } finally {
      await rm(root, { recursive: true, force: true })
    }
    const sum = (of: (it: TriedFilm) => number) => tried.reduce((total, it) => total + of(it), 0)
    for (const fault of tried.flatMap(({ faults }) => faults).slice(0, 20)) log(fault)
    return {
      figures: {
        breaks: films.reduce((total, { cuesMs }) => total + cuesMs.length, 0),
        frames_read: sum(({ framesRead }) => framesRead),
        breaks_with_a_wrong_last_frame: sum(({ wrongLast }) => wrongLast),
        breaks_with_a_wrong_first_frame: sum(({ wrongFirst }) => wrongFirst),
        faults: sum(({ faults }) => faults.length),
      },
      targets: {
        breaks: { is: size.films * size.cuePoints },
        frames_read: { atLeast: 2 * films.reduce((total, { frames }) => total + frames, 0) },
        breaks_with_a_wrong_last_frame: { is: 0 },
        breaks_with_a_wrong_first_frame: { is: 0 },
        faults: { is: 0 },
      },
    }
  },
})

/** Cue points 10 to 14 s apart, at any millisecond. */
function drawFilms(
  size: { readonly films: number; readonly cuePoints: number },
  seed: number,
): readonly Film[] {
  const draw = createDraw(seed)
  return formats.slice(0, size.films).map((format, at) => {
    const cuesMs: number[] = []
    while (cuesMs.length < size.cuePoints) cuesMs.push((cuesMs.at(-1) ?? 0) + 10_000 + draw.below(4_000))
    const frames = Math.ceil((cuesMs.at(-1)! * format.frameRate) / 1_000) + 60 + draw.below(300)
    return { name: `film-${at}`, format, frames, cuesMs }
  })
}
