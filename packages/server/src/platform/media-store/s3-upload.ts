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

/** A segment fits; the interface of S3 wants 5 MiB at least. */
const PART_BYTES = 8 * 1024 * 1024

/** What the interface of S3 allows for one object. */
const PARTS_MAXIMUM = 10_000

/** Times their size is the memory that one upload takes. */
const PARTS_AT_ONCE = 3

/** A write at the same time made the server unsure; S3 asks to send again. */
const CONFLICT_TRIES = 3

export interface Upload {
  readonly client: S3Client
  readonly target: { readonly Bucket: string; readonly Key: string }
  readonly contentType: string
  readonly body: MediaBody
  readonly signal: AbortSignal | undefined
  isThere(): Promise<boolean>
}

/** Sends an object that appears when it is whole. Where there is one already, that stays. */
export async function upload(order: Upload): Promise<void> {
  const { body } = order
  if ('bytes' in body) {
    await uploadWhole(order, body.bytes)
    return
  }
  const { size } = await stat(body.file)
  if (size <= PART_BYTES) await uploadWhole(order, await readFile(body.file))
  // What is there already need not be sent.
  else if (!(await order.isThere())) await uploadParts(order, body.file, size)
}

async function uploadWhole(order: Upload, bytes: Uint8Array): Promise<void> {
  const { client, target, contentType, signal } = order
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

async function uploadParts(order: Upload, file: string, sizeBytes: number): Promise<void> {
  const { client, target, contentType, signal } = order
  const { UploadId } = await onS3(
    client.send(new CreateMultipartUploadCommand({ ...target, ContentType: contentType }), options(signal)),
    signal,
  )
  const upload = { ...target, UploadId }
  try {
    const Parts = await sendParts(order, upload, file, sizeBytes)
    const complete = new CompleteMultipartUploadCommand({
      ...upload,
      MultipartUpload: { Parts },
      IfNoneMatch: '*',
    })
    // Not every server knows a condition at this step, so we look as well, as late as can be.
    const isFirst =
      !(await order.isThere()) && (await untilDecided(() => client.send(complete, options(signal)), signal))
    if (!isFirst) await abort(order, upload)
  } catch (error) {
    await abort(order, upload)
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

/** A few parts at a time: each lane takes the next part when its last one is sent. */
async function sendParts(
  order: Upload,
  upload: OpenUpload,
  file: string,
  sizeBytes: number,
): Promise<SentPart[]> {
  const partBytes = Math.max(PART_BYTES, Math.ceil(sizeBytes / PARTS_MAXIMUM))
  const count = Math.ceil(sizeBytes / partBytes)
  const sent: SentPart[] = []
  // The first failure ends the other lanes too, so that nothing is sent after the upload is given up.
  const failure = new AbortController()
  const signal = order.signal === undefined ? failure.signal : AbortSignal.any([order.signal, failure.signal])
  await using source = await open(file)
  let next = 0
  const runLane = async () => {
    while (next < count) {
      const part = next
      next += 1
      const bytes = Buffer.allocUnsafe(Math.min(partBytes, sizeBytes - part * partBytes))
      const { bytesRead } = await source.read(bytes, 0, bytes.length, part * partBytes)
      if (bytesRead < bytes.length) throw new Error(`${file} became shorter while it was read`)
      const command = new UploadPartCommand({ ...upload, PartNumber: part + 1, Body: bytes })
      const { ETag } = await onS3(order.client.send(command, options(signal)), signal)
      sent.push({ PartNumber: part + 1, ETag })
    }
  }
  const lanes = Array.from({ length: PARTS_AT_ONCE }, () =>
    runLane().catch((error: unknown) => {
      if (!failure.signal.aborted) failure.abort(error)
    }),
  )
  await Promise.all(lanes)
  signal.throwIfAborted()
  return sent.toSorted((a, b) => a.PartNumber - b.PartNumber)
}

/** Parts are invisible and cost money. What cannot be given up now is left to the bucket's own rule. */
async function abort(order: Upload, upload: OpenUpload): Promise<void> {
  await order.client.send(new AbortMultipartUploadCommand(upload)).catch(() => {})
}

/** Sends until it is clear who was first. That there is an object already is the promise, not a fault. */
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
