import {
  AbortMultipartUploadCommand,
  DeleteObjectsCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  type MultipartUpload,
  paginateListObjectsV2,
  type S3Client,
} from '@aws-sdk/client-s3'
import { onS3 } from './s3-faults.ts'
import { StoreUnavailable } from './store-unavailable.ts'

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
export async function removeUploads(client: S3Client, group: Group): Promise<void> {
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
