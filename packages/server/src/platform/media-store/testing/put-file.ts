import { openMediaStore } from '../open-media-store.ts'

/** A writer that a test can kill: puts one file and ends. */
const [mediaStore = '', key = '', file = ''] = process.argv.slice(2)
const store = await openMediaStore({
  mediaStore,
  s3AccessKeyId: process.env['S3_ACCESS_KEY_ID'] ?? '',
  s3SecretAccessKey: process.env['S3_SECRET_ACCESS_KEY'] ?? '',
})
await store.put(key, { file })
await store.close()
