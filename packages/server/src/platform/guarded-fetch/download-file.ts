import { setTimeout as pause } from 'node:timers/promises'
import { readContentRange, validatorOf } from './answer-headers.ts'
import { dropPart, findPart, finishPart, openPart, type PartRecord, sizeOfPart } from './file-part.ts'
import type { Guard, OutboundAnswer } from './guarded-client.ts'
import { OutboundRefused } from './outbound-refused.ts'
import { tooLarge } from './read-body.ts'

export interface DownloadOrder {
  readonly url: string
  /** Where the file will be; it is there whole or not at all. */
  readonly file: string
  readonly mostBytes: number
  readonly limitMs: number
  readonly signal: AbortSignal
  /** Called for every piece that arrives, some thousand times a second. */
  readonly onProgress?: (progress: DownloadProgress) => unknown
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

export interface DownloadProgress {
  readonly bytes: number
  /** Null where the server does not tell. */
  readonly totalBytes: number | null
}

export interface Downloaded {
  readonly bytes: number
  readonly contentType: string | null
  readonly etag: string | null
}

/** For a connection that broke. What lasts longer is for the next try of the job, which goes on from here. */
const PAUSES_MS = [500, 2_000, 5_000]

/**
 * Fetches a file, and goes on where an earlier call ended, in this process or in
 * another, as long as the server says that it still has the same thing.
 */
export async function downloadFile(guard: Guard, order: DownloadOrder): Promise<Downloaded> {
  const signal = AbortSignal.any([order.signal, AbortSignal.timeout(order.limitMs)])
  const { sleep = sleepUntil } = order
  for (let tries = 0; ; tries += 1) {
    try {
      return await tryOnce(guard, { ...order, signal })
    } catch (error) {
      const pauseMs = PAUSES_MS[tries]
      if (!(error instanceof OutboundRefused)) throw error
      if (error.isFinal) await dropPart(order.file)
      if (error.isFinal || pauseMs === undefined || signal.aborted) throw error
      await sleep(pauseMs, signal)
    }
  }
}

/** Ends early with the signal; the next try then says why. */
const sleepUntil = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => {})

async function tryOnce(guard: Guard, order: DownloadOrder): Promise<Downloaded> {
  const { url, file, mostBytes, signal } = order
  const left = await findPart(file, url)
  const range = left?.validator == null ? undefined : { fromByte: left.bytes, validator: left.validator }
  const answer = await guard.get({ url, mostBytes, signal, range })
  const place = placeOf(answer, url, left)
  if (place.kind === 'fits') return save(order, answer, place)
  answer.discard()
  if (place.kind === 'whole') return finish(file, place.record)
  if (place.kind === 'bad') throw badStatus(answer.status)
  await dropPart(file)
  throw broken('The server changed the file while it was fetched, or answered with another part of it.')
}

/** What an answer is, beside what is there already. */
type Place =
  | { readonly kind: 'fits'; readonly record: PartRecord; readonly totalBytes: number | null }
  | { readonly kind: 'whole'; readonly record: PartRecord }
  | { readonly kind: 'changed' | 'bad' }

function placeOf(answer: OutboundAnswer, url: string, left: PartRecord | undefined): Place {
  const { status, header } = answer
  if (status === 200) {
    const length = header('content-length')
    return {
      kind: 'fits',
      record: recordFor(answer, url),
      totalBytes: length === undefined ? null : Number(length),
    }
  }
  if ((status !== 206 && status !== 416) || left === undefined) return { kind: 'bad' }
  const range = readContentRange(header('content-range'))
  const etag = header('etag') ?? left.etag
  if (range === undefined || etag !== left.etag) return { kind: 'changed' }
  if (status === 206 && range.fromByte === left.bytes)
    return { kind: 'fits', record: left, totalBytes: range.totalBytes }
  // Nothing lies behind what is there: an earlier try had all of it and was stopped before it could say so.
  const isWhole = status === 416 && range.totalBytes === left.bytes
  return isWhole ? { kind: 'whole', record: left } : { kind: 'changed' }
}

const recordFor = ({ header }: OutboundAnswer, url: string): PartRecord => ({
  url,
  validator: validatorOf(header),
  bytes: 0,
  contentType: header('content-type') ?? null,
  etag: header('etag') ?? null,
})

async function save(
  { file, mostBytes, onProgress }: DownloadOrder,
  answer: OutboundAnswer,
  { record, totalBytes }: { readonly record: PartRecord; readonly totalBytes: number | null },
): Promise<Downloaded> {
  const part = await openPart(file, record).catch((error) => {
    answer.discard()
    throw error
  })
  try {
    for await (const chunk of answer.body) {
      if (part.bytes() + chunk.length > mostBytes) throw tooLarge()
      await part.write(chunk)
      onProgress?.({ bytes: part.bytes(), totalBytes })
    }
  } finally {
    await part.close()
  }
  if (totalBytes !== null && part.bytes() !== totalBytes) throw broken('The file ended before its end.')
  // Another process that was taken for dead may have had it open too, and written behind our back.
  if ((await sizeOfPart(file)) !== part.bytes()) {
    await dropPart(file)
    throw broken('The file was written to by another process.')
  }
  return finish(file, { ...record, bytes: part.bytes() })
}

async function finish(file: string, { bytes, contentType, etag }: PartRecord): Promise<Downloaded> {
  await finishPart(file)
  return { bytes, contentType, etag }
}

/** RFC 9110 §15.5: the client is at fault, except for these, which say to come back later. */
const COME_BACK: ReadonlySet<number> = new Set([408, 425, 429])

function badStatus(status: number): OutboundRefused {
  const isFinal = status < 500 && !COME_BACK.has(status)
  const message = `The server answered with status ${status} instead of the file; check that the address is right and open to us.`
  return new OutboundRefused('fetch.status', message, { isFinal })
}

const broken = (message: string): OutboundRefused =>
  new OutboundRefused('fetch.broken', message, { isFinal: false })
