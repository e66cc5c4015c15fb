import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'
import { startPrivateRadosgw } from '@continuity/dev/private-radosgw'

export type StoreKind = 'disk' | 's3'

/** Opens a new store below a folder, and returns its settings. */
export const openStore: Readonly<
  Record<
    StoreKind,
    (opened: AsyncDisposableStack, folder: string) => Promise<Readonly<Record<string, string>>>
  >
> = {
  async disk(_opened, folder) {
    const media = join(folder, 'media')
    await mkdir(media, { recursive: true })
    return { MEDIA_STORE: media }
  },
  async s3(opened, folder) {
    const searchPath = process.env['PATH'] ?? ''
    const server = opened.use(await startPrivateRadosgw({ folder: join(folder, 'radosgw'), searchPath }))
    const { endpoint, accessKeyId, secretAccessKey } = server
    const credentials = { accessKeyId, secretAccessKey }
    const client = new S3Client({ endpoint, credentials, region: 'us-east-1', forcePathStyle: true })
    await client.send(new CreateBucketCommand({ Bucket: 'station' }))
    client.destroy()
    return {
      MEDIA_STORE: `s3://station/media?endpoint=${endpoint}&path_style=yes`,
      S3_ACCESS_KEY_ID: accessKeyId,
      S3_SECRET_ACCESS_KEY: secretAccessKey,
    }
  },
}
