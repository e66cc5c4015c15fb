import { Readable } from 'node:stream'
import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  HeadObjectCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  PutObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from '@aws-sdk/client-s3'
import { contentTypeOf, requireMediaKey, requireMediaPrefix } from './media-key.ts'
import type { ByteRange, MediaStore, StoredObject } from './media-store.ts'
import { onS3, statusOf } from './s3-faults.ts'
import { upload } from './s3-upload.ts'
import { StoreUnavailable } from './store-unavailable.ts'

export interface S3Location {
  readonly bucket: string
  /** Empty, or ending with a slash. */
  readonly prefix: string
  /** Undefined for Amazon. */
  readonly endpoint: string | undefined
  readonly region: string
  /** The bucket in the path and not in the host name, as most self-hosted servers need it. */
  readonly isPathStyle: boolean
}

export interface S3Keys {
  readonly accessKeyId: string
  readonly secretAccessKey: string
}

const CONNECT_MS = 3_000

/** Socket timeout without a byte either way; enough for a part of 8 MiB on a very slow line. */
const IDLE_MS = 30_000

const TRIES = 3
const CONNECTIONS = 256

/** A bucket of S3 or of a compatible server. */
export function openS3Store(location: S3Location, keys: S3Keys): MediaStore {
  const client = createClient(location, keys)
  const { bucket: Bucket, prefix } = location
  const at = (key: string) => ({ Bucket, Key: `${prefix}${key}` })

  const requireBucket = async () => void (await onS3(client.send(new HeadBucketCommand({ Bucket }))))
  const find = async (key: string): Promise<StoredObject | undefined> => {
    requireMediaKey(key)
    const head = client.send(new HeadObjectCommand(at(key)))
    const found = await unlessMissing(head, requireBucket)
    return found && toStoredObject(found, found.ContentLength ?? 0)
  }

  return {
    async put(key, body, signal) {
      const exists = async () => (await find(key)) !== undefined
      await upload({ client, target: at(key), contentType: contentTypeOf(key), body, signal, exists })
    },
    find,
    has: async (key) => (await find(key)) !== undefined,
    async open(key, range) {
      requireMediaKey(key)
      const get = client.send(new GetObjectCommand({ ...at(key), ...rangeOf(range) }))
      const found = await unlessMissing(get, requireBucket, range)
      if (found === undefined) return undefined
      if (!(found.Body instanceof Readable))
        throw new Error('the S3 client returned a body that is not a stream')
      const sizeBytes = Number(found.ContentRange?.split('/')[1] ?? found.ContentLength)
      return { ...toStoredObject(found, sizeBytes), stream: found.Body }
    },
    async removeAll(keyPrefix) {
      requireMediaPrefix(keyPrefix)
      const group = { Bucket, Prefix: `${prefix}${keyPrefix}` }
      await removeUploads(client, group)
      await removeObjects(client, group)
    },
    async ping() {
      // No key starts with a dot, so this never collides with an object.
      await onS3(
        client.send(new PutObjectCommand({ ...at('.ping'), Body: new Uint8Array(1), ContentLength: 1 })),
      )
    },
    close: async () => client.destroy(),
  }
}

function createClient({ endpoint, region, isPathStyle }: S3Location, keys: S3Keys): S3Client {
  const agent = { keepAlive: true, maxSockets: CONNECTIONS }
  return new S3Client({
    region,
    ...(endpoint === undefined ? {} : { endpoint }),
    forcePathStyle: isPathStyle,
    credentials: keys,
    maxAttempts: TRIES,
    // Older servers do not know the checksums that newer clients add; the signature covers the body too.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      socketTimeout: IDLE_MS,
      httpAgent: agent,
      httpsAgent: agent,
    },
  })
}

const rangeOf = (range: ByteRange | undefined) =>
  range === undefined ? {} : { Range: `bytes=${range.from}-${range.to - 1}` }

interface Described {
  readonly LastModified?: Date | undefined
  readonly ETag?: string | undefined
}

function toStoredObject({ LastModified, ETag }: Described, sizeBytes: number): StoredObject {
  return { sizeBytes, lastModifiedMs: LastModified?.getTime() ?? 0, etag: ETag ?? `"${sizeBytes}"` }
}

/** A missing object means undefined, a missing bucket is an error; the status of the object does not distinguish them. */
async function unlessMissing<T>(
  work: Promise<T>,
  requireBucket: () => Promise<void>,
  range?: ByteRange,
): Promise<T | undefined> {
  try {
    return await work
  } catch (error) {
    const status = statusOf(error)
    if (status === 416)
      throw new RangeError(`bytes ${range?.from} to ${range?.to} are outside of the object`, { cause: error })
    if (status !== 404) return onS3(Promise.reject(error as Error))
    await requireBucket()
    return undefined
  }
}

interface Group {
  readonly Bucket: string
  readonly Prefix: string
}

/** The maximum of one request. */
const PAGE_SIZE = 1_000

/** Page by page, so that memory does not grow with the number of objects. */
export async function removeObjects(client: S3Client, group: Group, pageSize = PAGE_SIZE): Promise<void> {
  const pages = paginateListObjectsV2({ client, pageSize }, group)
  await onS3(
    forEachOf(pages, async ({ Contents = [] }) => {
      const Objects = Contents.map(({ Key }) => ({ Key }))
      if (Objects.length === 0) return
      const command = new DeleteObjectsCommand({ Bucket: group.Bucket, Delete: { Objects, Quiet: true } })
      const { Errors = [] } = await client.send(command)
      const [first] = Errors
      if (first !== undefined)
        throw new StoreUnavailable('store.unreachable', new Error(`${first.Code}: ${first.Message}`))
    }),
  )
}

/** Parts of unfinished uploads of killed processes; they are invisible and take up space. */
async function removeUploads(client: S3Client, group: Group): Promise<void> {
  await onS3(
    forEachOf(listUploads(client, group), async ({ Key, UploadId }) => {
      await client.send(new AbortMultipartUploadCommand({ Bucket: group.Bucket, Key, UploadId }))
    }),
  )
}

async function* listUploads(client: S3Client, group: Group): AsyncGenerator<MultipartUpload> {
  let markers: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | undefined = {}
  while (markers !== undefined) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ ...group, ...markers }),
    )
    yield* page.Uploads ?? []
    const { IsTruncated, NextKeyMarker: KeyMarker = '', NextUploadIdMarker: UploadIdMarker = '' } = page
    markers = IsTruncated === true ? { KeyMarker, UploadIdMarker } : undefined
  }
}

async function forEachOf<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  for await (const item of items) await work(item)
}
