import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Origin, startOrigin } from '@continuity/dev/origin'
import { temporaryFolder } from '@continuity/dev/temporary-folder'

/** A film of half a minute with a chapter, and a picture of it. */
export const FILM = 'tide-table.mp4'
export const PICTURE = 'tide-table.jpg'
export const FILM_SECONDS = 32
export const CHAPTER_MS = 16_000

const chapters = `;FFMETADATA1
[CHAPTER]
TIMEBASE=1/1000
START=0
END=${CHAPTER_MS}
[CHAPTER]
TIMEBASE=1/1000
START=${CHAPTER_MS}
END=${FILM_SECONDS * 1_000}
`

/** Files that a partner serves. */
export interface Files {
  readonly folder: string
  addressOf(name: string): string
}

/** Puts the film and its picture into a folder. */
export async function makeFilm(folder: string): Promise<void> {
  const metadata = join(folder, 'chapters.txt')
  await writeFile(metadata, chapters)
  const picture = (size: string) => [
    '-f',
    'lavfi',
    '-i',
    `gradients=size=${size}:rate=30:c0=0x0b7285:c1=0xf59f00:seed=4`,
  ]
  const sound = ['-f', 'lavfi', '-i', 'sine=frequency=300']
  const run = (args: readonly string[]) =>
    promisify(execFile)('ffmpeg', ['-nostdin', '-y', '-v', 'error', ...args])
  const inputs = [...picture('160x90'), ...sound, '-i', metadata, '-map_metadata', '2']
  const encoding = ['-t', `${FILM_SECONDS}`, '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
  await Promise.all([
    run([...inputs, ...encoding, join(folder, FILM)]),
    run([...picture('640x360'), '-frames:v', '1', join(folder, PICTURE)]),
  ])
}

/** A partner's server with the film and its picture. */
export async function startFilmServer(opened: AsyncDisposableStack): Promise<Origin & Files> {
  const folder = await temporaryFolder(opened)
  await makeFilm(folder)
  return Object.assign(opened.use(await startOrigin(folder)), { folder })
}
