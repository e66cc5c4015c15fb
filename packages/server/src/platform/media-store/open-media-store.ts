import { openDiskStore } from './disk-store.ts'
import { parseMediaPlace } from './media-place.ts'
import type { MediaStore } from './media-store.ts'

/** As the settings of a process tell it. */
export interface MediaStoreConfig {
  readonly mediaStore: string
  readonly s3AccessKeyId: string
  readonly s3SecretAccessKey: string
}

/** Opens the store without asking it anything: one that is not there yet may come. */
export async function openMediaStore(config: MediaStoreConfig): Promise<MediaStore> {
  const place = parseMediaPlace(config.mediaStore)
  const faults = findMediaFaults(config)
  if (place === undefined || faults.length > 0) throw new Error(faults.join('; '))
  if (place.kind === 'folder') return openDiskStore(place.folder)
  // Only now: the client takes a third of a second and 35 MB to load.
  const { openS3Store } = await import('./s3-store.ts')
  return openS3Store(place, {
    accessKeyId: config.s3AccessKeyId,
    secretAccessKey: config.s3SecretAccessKey,
  })
}

/** What no setting can find wrong by itself, in words. */
export function findMediaFaults(config: MediaStoreConfig): string[] {
  const place = parseMediaPlace(config.mediaStore)
  if (place === undefined) return ['MEDIA_STORE says no place']
  const hasKeys = config.s3AccessKeyId !== '' && config.s3SecretAccessKey !== ''
  return place.kind === 's3' && !hasKeys
    ? ['S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are needed for a MEDIA_STORE of S3']
    : []
}
