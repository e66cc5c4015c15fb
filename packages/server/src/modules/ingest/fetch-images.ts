import { join } from 'node:path'
import { downloadFile } from '../../platform/guarded-fetch/download-file.ts'
import type { Guard } from '../../platform/guarded-fetch/guarded-client.ts'
import { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'
import type { Logger } from '../../platform/logger.ts'
import { MEDIA_BASE, type RecordImage } from '../catalog/index.ts'
import type { Asset } from './asset-store.ts'
import { type MadeImage, makeImages } from './packaging/make-images.ts'
import { MediaRefused } from './packaging/media-refused.ts'
import type { PackagingDeps } from './packaging/packaging-deps.ts'

const PICTURE_LIMIT = { bytes: 20_000_000, ms: 60_000 } as const

interface ImageDeps {
  readonly guard: Guard
  readonly packaging: PackagingDeps
  readonly signal: AbortSignal
  readonly logger: Logger
}

/**
 * The picture that the partner named, in three sizes, in the folder of the
 * package. One that cannot be had is no reason to do without the video.
 */
export async function fetchImages(
  deps: ImageDeps,
  { imageUrl }: Asset,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<RecordImage[]> {
  const toRecord = ({ name, width, height }: MadeImage): RecordImage => ({
    width,
    height,
    image_type: 'THUMBNAIL',
    original_image_url: imageUrl ?? '',
    image_url: `${MEDIA_BASE}${path}/images/${name}`,
  })
  if (imageUrl === null) return []
  const file = join(folder, '..', 'picture')
  try {
    const { bytes: mostBytes, ms: limitMs } = PICTURE_LIMIT
    await downloadFile(deps.guard, { url: imageUrl, file, mostBytes, limitMs, signal: deps.signal })
    const made = await makeImages(deps.packaging, {
      file,
      folder: join(folder, 'images'),
      signal: deps.signal,
    })
    return made.map(toRecord)
  } catch (error) {
    if (!(error instanceof OutboundRefused || error instanceof MediaRefused)) throw error
    deps.logger.warn({ err: error, code: error.code }, 'a picture cannot be had')
    return []
  }
}
