import { openDiskStore } from './disk-store.ts'
import { parseMediaLocation } from './media-location.ts'
import type { MediaStore } from './media-store.ts'

/** From the settings of a process. */
export interface MediaStoreConfig {
  readonly mediaStore: string
  readonly s3AccessKeyId: string
  readonly s3SecretAccessKey: string
}

/** Opens the store without connecting to it: it may become available later. */
export async function openMediaStore(config: MediaStoreConfig): Promise<MediaStore> {
  const location = parseMediaLocation(config.mediaStore)
  const faults = findMediaFaults(config)
  if (location === undefined || faults.length > 0) throw new Error(faults.join('; '))
  if (location.kind === 'folder') return openDiskStore(location.folder)
  // Only now: the client takes a third of a second and 35 MB to load.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(location, {
    accessKeyId: config.s3AccessKeyId,
    secretAccessKey: config.s3SecretAccessKey,
  })
}

/** Faults that no single setting shows. */
export function findMediaFaults(config: MediaStoreConfig): string[] {
  const location = parseMediaLocation(config.mediaStore)
  if (location === undefined) return ['MEDIA_STORE is not a valid location']
  const hasKeys = config.s3AccessKeyId !== '' && config.s3SecretAccessKey !== ''
  return location.kind === 's3' && !hasKeys
    ? ['S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are needed for an S3 MEDIA_STORE']
    : []
}
