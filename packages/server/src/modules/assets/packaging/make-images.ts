import { mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { IMAGE_WIDTHS, imageCommand, imageName } from '@continuity/core/packaging/commands'
import { readImageFormat } from '@continuity/core/packaging/image-format'
import { readJpegSize } from '@continuity/core/packaging/jpeg-size'
import { blame } from './blame.ts'
import { MediaRejected } from './media-rejected.ts'
import type { PackagingDeps } from './packaging-deps.ts'
import { smallLimits } from './program-limits.ts'

export interface MadeImage {
  /** Its file in the folder. */
  readonly name: string
  readonly width: number
  readonly height: number
}

/** Makes three JPEGs of a picture, from small to large, none larger than the original. */
export async function makeImages(
  { runProgram }: PackagingDeps,
  { file, folder, signal }: { readonly file: string; readonly folder: string; readonly signal: AbortSignal },
): Promise<readonly MadeImage[]> {
  const format = readImageFormat(await readHead(file))
  if (format === undefined) {
    throw new MediaRejected('media.unreadable', 'The picture is not a JPEG, PNG, WebP or GIF.')
  }
  await emptyImages(folder)
  const run = runProgram({ ...imageCommand(file, format, folder), limits: smallLimits, signal })
  await blame(run, 'media.damaged', 'The picture cannot be decoded.')
  const images: MadeImage[] = []
  for (const width of IMAGE_WIDTHS) images.push(await describe(folder, imageName(width)))
  return images
}

async function emptyImages(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  for (const name of await readdir(folder)) await rm(join(folder, name), { recursive: true, force: true })
}

async function describe(folder: string, name: string): Promise<MadeImage> {
  const size = await readHead(join(folder, name)).then(readJpegSize, () => undefined)
  if (size === undefined) throw new MediaRejected('media.damaged', 'The picture cannot be decoded.')
  return { name, ...size }
}

/** The first packets or tables of a file show what it is. */
const HEAD_BYTES = 4_096

async function readHead(file: string): Promise<Uint8Array> {
  await using opened = await open(file)
  const { buffer, bytesRead } = await opened.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
  return buffer.subarray(0, bytesRead)
}
