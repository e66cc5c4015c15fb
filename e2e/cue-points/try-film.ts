import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { cutAt, frameAt } from '@continuity/core/media/cue-points'
import type { HouseFormat } from '@continuity/core/media/house-format'
import { readLadder } from '@continuity/core/media/ladder'
import type { SegmentIndex } from '@continuity/core/media/segment-index'
import { packageFile } from '../../packages/server/src/modules/assets/packaging/package-file.ts'
import type { PackagingDeps } from '../../packages/server/src/modules/assets/packaging/packaging-deps.ts'
import { probeFile } from '../../packages/server/src/modules/assets/packaging/probe-file.ts'
import { checkPackage } from '../media/check-package.ts'
import { makeFilm, readNumbers, SLATE_NUMBER } from './counted-film.ts'

export interface Film {
  readonly name: string
  readonly format: HouseFormat
  readonly frames: number
  readonly cuesMs: readonly number[]
}

export interface TriedFilm {
  readonly wrongLast: number
  readonly wrongFirst: number
  readonly framesRead: number
  readonly faults: readonly string[]
}

const RUNG = '72p'

/**
 * Packages a film with cue points, and plays it twice: without breaks, and with a slate at every cue point. The number in
 * each picture identifies the frame.
 */
export async function tryFilm(deps: PackagingDeps, root: string, film: Film): Promise<TriedFilm> {
  const { name, format, frames, cuesMs } = film
  const [folder, slate] = [join(root, name), join(root, `${name}-slate`)]
  await makeFilm(`${folder}.mp4`, { frames, frameRate: format.frameRate })
  await makeFilm(`${slate}.mp4`, {
    frames: 1.6 * format.frameRate,
    frameRate: format.frameRate,
    first: SLATE_NUMBER,
  })
  const cueFrames = cuesMs.map((atMs) => frameAt(atMs, format.frameRate))
  const index = await packageInto(deps, folder, format, cueFrames)
  await packageInto(deps, slate, format, [])
  const { faults } = await checkPackage(folder, true)
  const plain = await readNumbers(join(folder, RUNG, 'main.m3u8'))
  const file = join(folder, RUNG, 'breaks.m3u8')
  await writeFile(file, printBreaks(index, cuesMs, join(slate, RUNG, '00000.ts')))
  const broken = await readNumbers(file)
  // Computed apart from the packager, in whole numbers: the nearest frame, and of two as near the later.
  const cues = cuesMs.map((atMs) => Math.floor((2 * atMs * format.frameRate + 1_000) / 2_000))
  const slateFrames = 1.6 * format.frameRate
  const expected = Array.from({ length: frames }, (_, at) =>
    cues.includes(at) ? [...Array<number>(slateFrames).fill(SLATE_NUMBER), at] : [at],
  ).flat()
  const breaks = breaksOf(broken.numbers)
  return {
    wrongLast: cues.filter((cue, at) => breaks[at]?.last !== cue - 1).length,
    wrongFirst: cues.filter((cue, at) => breaks[at]?.first !== cue).length,
    framesRead: plain.numbers.length + broken.numbers.length,
    faults: [
      ...faults,
      ...plain.complaints,
      ...broken.complaints,
      ...(String(plain.numbers) === String([...Array(frames).keys()])
        ? []
        : ['without breaks, frames are missing']),
      ...(String(broken.numbers) === String(expected)
        ? []
        : ['with breaks, frames are missing or out of order']),
    ].map((fault) => `${name}: ${fault}`),
  }
}

/** The frames around each stretch of slate. */
function breaksOf(numbers: readonly number[]): readonly { readonly last: number; readonly first: number }[] {
  const isSlate = (at: number) => numbers[at] === SLATE_NUMBER
  return numbers.flatMap((last, at) => {
    if (isSlate(at) || !isSlate(at + 1)) return []
    return [{ last, first: numbers.slice(at + 1).find((number) => number !== SLATE_NUMBER) ?? -1 }]
  })
}

async function packageInto(
  deps: PackagingDeps,
  folder: string,
  format: HouseFormat,
  cueFrames: readonly number[],
): Promise<SegmentIndex> {
  const read = readLadder('128x72@400+64')
  if (read.kind === 'rejected') throw new Error(read.faults.join(', '))
  const { signal } = new AbortController()
  const facts = await probeFile(deps, `${folder}.mp4`, signal)
  const options = {
    file: `${folder}.mp4`,
    facts,
    folder,
    format,
    ladder: read.ladder,
    preset: 'ultrafast',
    signal,
  }
  return packageFile(deps, { ...options, cueFrames, onProgress: () => {} })
}

/** A playlist of the film with a slate at every cue point, as on a channel. */
function printBreaks(index: SegmentIndex, cuesMs: readonly number[], slate: string): string {
  const media = {
    ...index,
    path: '',
    segmentTicks: index.segmentMs * 90,
    segmentCount: index.segments.length,
  }
  const breaks = new Set(cuesMs.map((atMs) => cutAt(media, atMs).segment))
  const lines = index.segments.flatMap((ticks, number) => [
    ...(breaks.has(number) ? ['#EXT-X-DISCONTINUITY', '#EXTINF:1.6,', slate, '#EXT-X-DISCONTINUITY'] : []),
    `#EXTINF:${ticks / 90_000},`,
    `${String(number).padStart(5, '0')}.ts`,
  ])
  return `#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:8\n${lines.join('\n')}\n#EXT-X-ENDLIST\n`
}
