import { setTimeout as pause } from 'node:timers/promises'
import { dropPart, findPart, finishPart, openPart, type PartRecord, sizeOfPart } from './file-part.ts'
import type { OutboundAnswer, OutboundClient } from './outbound-client.ts'
import { OutboundError } from './outbound-error.ts'
import { tooLarge } from './read-body.ts'

export interface DownloadOptions {
  readonly url: string
  /** The path of the finished file; it never exists incomplete. */
  readonly file: string
  readonly mostBytes: number
  readonly limitMs: number
  readonly signal: AbortSignal
  /** Called for every chunk, some thousand times a second. */
  readonly onProgress?: (progress: DownloadProgress) => unknown
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<unknown>
}

export interface DownloadProgress {
  readonly bytes: number
  /** Null where the server does not send it. */
  readonly totalBytes: number | null
}

export interface Downloaded {
  readonly bytes: number
  readonly contentType: string | null
  readonly etag: string | null
}

/** Retries of a broken connection. A longer outage is left to the next attempt of the job, which resumes the part. */
const PAUSES_MS = [500, 2_000, 5_000]

/**
 * Downloads a file and resumes where an earlier call ended, in this or another process, as long as the server confirms
 * that the file is the same.
 */
export async function downloadFile(client: OutboundClient, options: DownloadOptions): Promise<Downloaded> {
  const signal = AbortSignal.any([options.signal, AbortSignal.timeout(options.limitMs)])
  const { sleep = sleepUntil } = options
  for (let tries = 0; ; tries += 1) {
    try {
      return await tryOnce(client, { ...options, signal })
    } catch (error) {
      const pauseMs = PAUSES_MS[tries]
      if (!(error instanceof OutboundError)) throw error
      if (error.isFinal) await dropPart(options.file)
      if (error.isFinal || pauseMs === undefined || signal.aborted) throw error
      await sleep(pauseMs, signal)
    }
  }
}

/** Ends early with the signal; the next attempt then reports the reason. */
const sleepUntil = (ms: number, signal: AbortSignal) => pause(ms, undefined, { signal }).catch(() => {})

async function tryOnce(client: OutboundClient, options: DownloadOptions): Promise<Downloaded> {
  const { url, file, mostBytes, signal } = options
  const left = await findPart(file, url)
  const range = left?.validator == null ? undefined : { fromByte: left.bytes, validator: left.validator }
  const answer = await client.get({ url, mostBytes, signal, range })
  const match = matchPart(answer, url, left)
  if (match.kind === 'fits') return save(options, answer, match)
  answer.discard()
  if (match.kind === 'whole') return finish(file, match.record)
  if (match.kind === 'bad') throw badStatus(answer.status)
  await dropPart(file)
  throw broken('The server changed the file while it was fetched, or answered with another part of it.')
}

/** How an answer matches the part on disk. */
type PartMatch =
  | { readonly kind: 'fits'; readonly record: PartRecord; readonly totalBytes: number | null }
  | { readonly kind: 'whole'; readonly record: PartRecord }
  | { readonly kind: 'changed' | 'bad' }

function matchPart(answer: OutboundAnswer, url: string, left: PartRecord | undefined): PartMatch {
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
  // No bytes follow the part: an earlier attempt had all of it and was stopped before it finished the file.
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
  { file, mostBytes, onProgress }: DownloadOptions,
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
  if (totalBytes !== null && part.bytes() !== totalBytes)
    throw broken('The file ended before its announced length.')
  // Another process that was considered dead may have had it open too and written to it.
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

/** RFC 9110 §15.5: client errors are permanent, except for these. */
const RETRYABLE: ReadonlySet<number> = new Set([408, 425, 429])

function badStatus(status: number): OutboundError {
  const isFinal = status < 500 && !RETRYABLE.has(status)
  const message = `The server answered with status ${status} instead of the file; check that the address is correct and accessible.`
  return new OutboundError('fetch.status', message, { isFinal })
}

const broken = (message: string): OutboundError =>
  new OutboundError('fetch.broken', message, { isFinal: false })

type Header = (name: string) => string | undefined

/**
 * A validator that changes with every byte: a strong ETag, else a Last-Modified that is older than the answer (RFC 9110
 * §8.8.2.2). A weak ETag only states equivalence; joining parts of two equivalent files gives a broken film.
 */
export function validatorOf(header: Header): string | null {
  const etag = header('etag')
  if (etag !== undefined) return STRONG_TAG.test(etag) ? etag : null
  const changed = header('last-modified') ?? ''
  const changedMs = Date.parse(changed)
  const answeredMs = Date.parse(header('date') ?? '')
  return answeredMs - changedMs >= 1_000 ? changed : null
}

// RFC 9110 §8.8.3, ASCII only, since other characters do not survive a header.
const STRONG_TAG = /^"[\x21\x23-\x7e]*"$/

interface ContentRange {
  /** Undefined in the answer to an unsatisfiable range. */
  readonly fromByte: number | undefined
  readonly totalBytes: number | null
}

/** RFC 9110 §14.4: `bytes 5-9/10`, `bytes 5-9/*`, or without a range `bytes *\/10`. */
export function readContentRange(text: string | undefined): ContentRange | undefined {
  const [, from, to = '', total = ''] =
    /^bytes (?:(\d{1,15})-(\d{1,15})|\*)\/(\d{1,15}|\*)$/.exec(text ?? '') ?? []
  if (total === '' || (from === undefined && total === '*')) return undefined
  const totalBytes = total === '*' ? null : Number(total)
  if (from === undefined) return { fromByte: undefined, totalBytes }
  const isInside = Number(from) <= Number(to) && (totalBytes === null || Number(to) < totalBytes)
  return isInside ? { fromByte: Number(from), totalBytes } : undefined
}
