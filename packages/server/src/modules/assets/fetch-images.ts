import { join } from 'node:path'
import type { Logger } from '../../platform/log/logger.ts'
import { downloadFile } from '../../platform/outbound/download-file.ts'
import type { OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import { MEDIA_BASE, type RecordImage } from '../catalog/index.ts'
import type { Asset } from './asset-store.ts'
import { type MadeImage, makeImages } from './packaging/make-images.ts'
import { MediaRejected } from './packaging/media-rejected.ts'
import type { PackagingDeps } from './packaging/packaging-deps.ts'

const PICTURE_LIMIT = { bytes: 20_000_000, ms: 60_000 } as const

interface ImageDeps {
  readonly outboundClient: OutboundClient
  readonly packaging: PackagingDeps
  readonly signal: AbortSignal
  readonly logger: Logger
}

/**
 * Puts the partner's picture, in three sizes, into the folder of the package. A picture that cannot be fetched does not
 * fail the video.
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
    await downloadFile(deps.outboundClient, { url: imageUrl, file, mostBytes, limitMs, signal: deps.signal })
    const made = await makeImages(deps.packaging, {
      file,
      folder: join(folder, 'images'),
      signal: deps.signal,
    })
    return made.map(toRecord)
  } catch (error) {
    if (!(error instanceof OutboundError || error instanceof MediaRejected)) throw error
    deps.logger.warn({ err: error, code: error.code }, 'image could not be fetched, continuing without it')
    return []
  }
}
