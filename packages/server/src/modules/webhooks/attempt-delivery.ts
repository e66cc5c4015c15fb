import type { Clock } from '../../platform/clock/clock.ts'
import type { OutboundAnswer, OutboundClient } from '../../platform/outbound/outbound-client.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import type { Attempt, PendingDelivery } from './delivery-store.ts'
import { signedHeaders } from './signature.ts'

/** Timeout of one attempt, until the response headers. */
export const ATTEMPT_MS = 15_000

/** The status decides; the body is only an excerpt for the delivery log, so the wait for it is short. */
const EXCERPT_MS = 1_000
const EXCERPT_BYTES = 2_048
/** The outbound client rejects a response whose content-length is above the limit, so the limit is high. */
const BODY_BYTES = 1_000_000_000

export interface AttemptOptions {
  readonly outboundClient: Pick<OutboundClient, 'post'>
  readonly clock: Clock
  /** Aborts the attempt; its result is then unknown. */
  readonly stopping: AbortSignal
}

export interface Target {
  readonly url: string
  readonly secrets: readonly Buffer[]
}

/** Sends a delivery once. Undefined if aborted before the result was known. */
export async function attemptDelivery(
  { outboundClient, clock, stopping }: AttemptOptions,
  { url, secrets }: Target,
  { eventId, body }: PendingDelivery,
): Promise<Attempt | undefined> {
  const atMs = clock()
  const startedMs = performance.now()
  const headers = signedHeaders(secrets, { id: eventId, atMs, body })
  const ending = (result: Pick<Attempt, 'status' | 'errorCode' | 'responseBody'>): Attempt => ({
    atMs,
    url,
    durationMs: Math.round(performance.now() - startedMs),
    ...result,
  })
  try {
    const signal = AbortSignal.any([stopping, AbortSignal.timeout(ATTEMPT_MS)])
    const answer = await outboundClient.post({ url, headers, body, mostBytes: BODY_BYTES, signal })
    const responseBody = await readExcerpt(answer)
    return ending({ status: answer.status, errorCode: null, responseBody })
  } catch (error) {
    if (stopping.aborted) return undefined
    if (!(error instanceof OutboundError)) throw error
    return ending({ status: null, errorCode: error.code, responseBody: '' })
  }
}

async function readExcerpt(answer: OutboundAnswer): Promise<string> {
  const chunks: Buffer[] = []
  let bytes = 0
  const late = setTimeout(() => answer.discard(), EXCERPT_MS)
  try {
    for await (const chunk of answer.body) {
      chunks.push(chunk.subarray(0, EXCERPT_BYTES - bytes))
      bytes += chunk.length
      if (bytes >= EXCERPT_BYTES) break
    }
  } catch {
    // Show what was read before the connection broke.
  } finally {
    clearTimeout(late)
    answer.discard()
  }
  // PostgreSQL stores no NUL in a text.
  return Buffer.concat(chunks).toString().replaceAll('\0', '�')
}
