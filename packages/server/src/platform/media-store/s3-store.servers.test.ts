import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import {
  CreateBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  S3Client,
} from '@aws-sdk/client-s3'
import { findFreePort } from '@continuity/dev/ports'
import { type PrivateRadosgw, startPrivateRadosgw } from '@continuity/dev/private-radosgw'
import type { MediaStore } from './media-store.ts'
import { openMediaStore } from './open-media-store.ts'
import { removeObjects } from './s3-store.ts'
import { StoreUnavailable } from './store-unavailable.ts'
import { testMediaStore } from './testing/store-contract.ts'
import { aFile, LARGE_BYTES, readBack, someBytes } from './testing/trial-store.ts'

const BUCKET = 'north-media'
let server: PrivateRadosgw
let admin: S3Client // accesses the bucket directly
let store: MediaStore

// One server for all tests: it takes longer to start than all of them.
before(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-s3-'))
  await rm(folder, { recursive: true })
  server = await startPrivateRadosgw({ folder, searchPath: process.env['PATH'] ?? '' })
  admin = new S3Client({
    endpoint: server.endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: server,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  })
  await admin.send(new CreateBucketCommand({ Bucket: BUCKET }))
  store = await openAt(locationOf())
})
after(async () => {
  await store?.close()
  admin?.destroy()
  await server?.[Symbol.asyncDispose]()
})

testMediaStore(() => ({
  store,
  mediaStore: locationOf(),
  env: { S3_ACCESS_KEY_ID: server.accessKeyId, S3_SECRET_ACCESS_KEY: server.secretAccessKey },
  isWriting: async () => (await countUploads()) > 0,
}))

test('upload parts of a killed writer are removed with the objects', async () => {
  assert.equal(await countUploads(), 0)
})

test('objects have their content type in the bucket too', async () => {
  await store.put('type/a.m3u8', { bytes: someBytes(10) })

  const { ContentType } = await admin.send(
    new HeadObjectCommand({ Bucket: BUCKET, Key: 'media/type/a.m3u8' }),
  )

  assert.equal(ContentType, 'application/vnd.apple.mpegurl')
})

test('more objects than fit on one page are removed', async () => {
  const keys = Array.from({ length: 25 }, (_, index) => `many/${index}.ts`)
  await Promise.all(keys.map((key) => store.put(key, { bytes: someBytes(1) })))

  await removeObjects(admin, { Bucket: BUCKET, Prefix: 'media/many/' }, 10)
  const left = await Promise.all(keys.map((key) => store.has(key)))

  assert.equal(left.includes(true), false)
})

test('a bucket at its quota is reported as store.full, shows no object, and accepts it when there is room', async (t) => {
  const file = await aFile(t, someBytes(LARGE_BYTES))
  const quota = ['--uid=continuity', '--quota-scope=user']
  await server.administer('quota', 'set', ...quota, '--max-size=1024')
  await server.administer('quota', 'enable', ...quota)
  t.after(() => server.administer('quota', 'disable', ...quota))

  await assert.rejects(store.put('full/a.ts', { bytes: someBytes(10_000) }), isFault('store.full'))
  await assert.rejects(store.put('full/b.mp4', { file }), isFault('store.full'))
  await assert.rejects(store.ping(), isFault('store.full'))
  assert.deepEqual(
    [await store.has('full/a.ts'), await store.has('full/b.mp4'), await countUploads()],
    [false, false, 0],
  )
  await server.administer('quota', 'disable', ...quota)

  await store.put('full/b.mp4', { file })
  assert.equal((await store.find('full/b.mp4'))?.sizeBytes, LARGE_BYTES)
})

test('an access key without write permission is read-only, and an unknown one is unreachable', async () => {
  await server.administer(
    'user',
    'create',
    '--uid=guest',
    '--display-name=guest',
    '--access-key=GUEST',
    '--secret-key=GUEST',
  )
  const guest = await openAt(locationOf(), { s3AccessKeyId: 'GUEST', s3SecretAccessKey: 'GUEST' })
  const unknown = await openAt(locationOf(), { s3AccessKeyId: 'UNKNOWN', s3SecretAccessKey: 'UNKNOWN' })

  await assert.rejects(guest.ping(), isFault('store.read_only'))
  await assert.rejects(unknown.ping(), isFault('store.unreachable'))
  await assert.rejects(unknown.has('a.ts'), isFault('store.unreachable'))
})

test('a missing bucket or server is unreachable, and its objects are not reported as missing', async () => {
  for (const location of [
    locationOf({ bucket: 'another-media' }),
    locationOf({ endpoint: `http://127.0.0.1:${await findFreePort()}` }),
  ]) {
    const gone = await openAt(location)
    for (const call of [
      () => gone.find('a.ts'),
      () => gone.open('a.ts'),
      () => gone.put('a.ts', { bytes: someBytes(1) }),
      () => gone.removeAll('a/'),
      () => gone.ping(),
    ])
      await assert.rejects(call(), isFault('store.unreachable'), location)
  }
})

test('a server that stops while an object is read breaks the stream', async (t) => {
  await store.put('cut/a.mp4', { file: await aFile(t, someBytes(LARGE_BYTES)) })
  const opened = await store.open('cut/a.mp4')
  await server.stopGateway()

  await assert.rejects(async () => {
    for await (const chunk of opened!.stream) assert.ok(chunk)
  })
  await assert.rejects(readBack(store, 'cut/a.mp4'), isFault('store.unreachable'))
})

const isFault = (code: string) => (error: unknown) => error instanceof StoreUnavailable && error.code === code

function locationOf({ bucket = BUCKET, endpoint = server.endpoint } = {}): string {
  return `s3://${bucket}/media?endpoint=${endpoint}&path_style=yes`
}

async function openAt(
  mediaStore: string,
  keys = { s3AccessKeyId: server.accessKeyId, s3SecretAccessKey: server.secretAccessKey },
) {
  return openMediaStore({ mediaStore, ...keys })
}

async function countUploads(): Promise<number> {
  const { Uploads = [] } = await admin.send(new ListMultipartUploadsCommand({ Bucket: BUCKET }))
  return Uploads.length
}
