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

/** As many as one request may name. */
const PAGE_SIZE = 1_000

/** Page by page, so that memory does not grow with the group. */
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

/** Parts of uploads that a killed process began; nobody sees them, and they take room. */
export async function removeUploads(client: S3Client, group: Group): Promise<void> {
  await onS3(
    forEachOf(listUploads(client, group), async ({ Key, UploadId }) => {
      await client.send(new AbortMultipartUploadCommand({ Bucket: group.Bucket, Key, UploadId }))
    }),
  )
}

async function* listUploads(client: S3Client, group: Group): AsyncGenerator<MultipartUpload> {
  let marks: { readonly KeyMarker?: string; readonly UploadIdMarker?: string } | undefined = {}
  while (marks !== undefined) {
    const page: ListMultipartUploadsCommandOutput = await client.send(
      new ListMultipartUploadsCommand({ ...group, ...marks }),
    )
    yield* page.Uploads ?? []
    const { IsTruncated, NextKeyMarker: KeyMarker = '', NextUploadIdMarker: UploadIdMarker = '' } = page
    marks = IsTruncated === true ? { KeyMarker, UploadIdMarker } : undefined
  }
}

async function forEachOf<T>(items: AsyncIterable<T>, work: (item: T) => Promise<void>): Promise<void> {
  for await (const item of items) await work(item)
}
