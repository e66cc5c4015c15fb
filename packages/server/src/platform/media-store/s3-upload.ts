import { open, readFile, stat } from 'node:fs/promises'
import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { MediaBody } from './media-store.ts'
import { onS3, statusOf } from './s3-faults.ts'

/** A segment fits into one; S3 requires 5 MiB at least. */
const PART_BYTES = 8 * 1024 * 1024

/** The limit of S3 for one object. */
const PARTS_MAXIMUM = 10_000

/** Times the part size is the memory of one upload. */
const PARTS_AT_ONCE = 3

/** For 409 of a concurrent write, after which S3 requires a retry. */
const CONFLICT_TRIES = 3

export interface Upload {
  readonly client: S3Client
  readonly target: { readonly Bucket: string; readonly Key: string }
  readonly contentType: string
  readonly body: MediaBody
  readonly signal: AbortSignal | undefined
  exists(): Promise<boolean>
}

/** Uploads an object that becomes visible once it is complete. An existing one stays. */
export async function upload(job: Upload): Promise<void> {
  const { body } = job
  if ('bytes' in body) {
    await uploadWhole(job, body.bytes)
    return
  }
  const { size } = await stat(body.file)
  if (size <= PART_BYTES) await uploadWhole(job, await readFile(body.file))
  // An existing object need not be sent.
  else if (!(await job.exists())) await uploadParts(job, body.file, size)
}

async function uploadWhole(job: Upload, bytes: Uint8Array): Promise<void> {
  const { client, target, contentType, signal } = job
  await untilDecided(
    () =>
      client.send(
        new PutObjectCommand({
          ...target,
          Body: bytes,
          ContentLength: bytes.length,
          ContentType: contentType,
          IfNoneMatch: '*',
        }),
        options(signal),
      ),
    signal,
  )
}

async function uploadParts(job: Upload, file: string, sizeBytes: number): Promise<void> {
  const { client, target, contentType, signal } = job
  const { UploadId } = await onS3(
    client.send(new CreateMultipartUploadCommand({ ...target, ContentType: contentType }), options(signal)),
    signal,
  )
  const upload = { ...target, UploadId }
  try {
    const Parts = await sendParts(job, upload, file, sizeBytes)
    const complete = new CompleteMultipartUploadCommand({
      ...upload,
      MultipartUpload: { Parts },
      IfNoneMatch: '*',
    })
    // Not every server supports the condition here, so we also check, as late as possible.
    const isFirst =
      !(await job.exists()) && (await untilDecided(() => client.send(complete, options(signal)), signal))
    if (!isFirst) await abort(job, upload)
  } catch (error) {
    await abort(job, upload)
    throw error
  }
}

interface OpenUpload {
  readonly Bucket: string
  readonly Key: string
  readonly UploadId: string | undefined
}

interface SentPart {
  readonly PartNumber: number
  readonly ETag: string | undefined
}

/** A few parts concurrently: each slot takes the next part when its last one is sent. */
async function sendParts(
  job: Upload,
  upload: OpenUpload,
  file: string,
  sizeBytes: number,
): Promise<SentPart[]> {
  const partBytes = Math.max(PART_BYTES, Math.ceil(sizeBytes / PARTS_MAXIMUM))
  const count = Math.ceil(sizeBytes / partBytes)
  const sent: SentPart[] = []
  // The first failure ends the other slots too, so that nothing is sent after the upload is aborted.
  const failure = new AbortController()
  const signal = job.signal === undefined ? failure.signal : AbortSignal.any([job.signal, failure.signal])
  await using source = await open(file)
  let next = 0
  const runSlot = async () => {
    while (next < count) {
      const part = next
      next += 1
      const bytes = Buffer.allocUnsafe(Math.min(partBytes, sizeBytes - part * partBytes))
      const { bytesRead } = await source.read(bytes, 0, bytes.length, part * partBytes)
      if (bytesRead < bytes.length) throw new Error(`${file} became shorter while it was read`)
      const command = new UploadPartCommand({ ...upload, PartNumber: part + 1, Body: bytes })
      const { ETag } = await onS3(job.client.send(command, options(signal)), signal)
      sent.push({ PartNumber: part + 1, ETag })
    }
  }
  const slots = Array.from({ length: PARTS_AT_ONCE }, () =>
    runSlot().catch((error: unknown) => {
      if (!failure.signal.aborted) failure.abort(error)
    }),
  )
  await Promise.all(slots)
  signal.throwIfAborted()
  return sent.toSorted((a, b) => a.PartNumber - b.PartNumber)
}

/** Parts are invisible and cost money. A failed abort is left to the lifecycle rule of the bucket. */
async function abort(job: Upload, upload: OpenUpload): Promise<void> {
  await job.client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
}

/** Retries until it is clear which writer was first. An existing object is not an error. */
async function untilDecided(send: () => Promise<unknown>, signal: AbortSignal | undefined): Promise<boolean> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await send()
      return true
    } catch (error) {
      if (statusOf(error) === 412) return false
      if (statusOf(error) !== 409 || attempt === CONFLICT_TRIES)
        await onS3(Promise.reject(error as Error), signal)
    }
  }
}

const options = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { abortSignal: signal })
