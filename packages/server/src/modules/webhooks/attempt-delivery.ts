import type { Clock } from '../../platform/clock/clock.ts'
import type { Guard, OutboundAnswer } from '../../platform/guarded-fetch/guarded-client.ts'
import { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'
import type { Attempt, PendingDelivery } from './delivery-store.ts'
import { signedHeaders } from './signature.ts'

/** Of one attempt, until the headers of the response are there. */
export const ATTEMPT_MS = 15_000

/** The status decides; the body is for whoever reads the log, and not worth waiting for. */
const EXCERPT_MS = 1_000
const EXCERPT_BYTES = 2_048
/** More is cut off. The guard refuses a response that announces more than it may bring. */
const BODY_BYTES = 1_000_000_000

export interface AttemptOptions {
  readonly guard: Pick<Guard, 'post'>
  readonly clock: Clock
  /** Ends the attempt early: its result is unknown then. */
  readonly stopping: AbortSignal
}

export interface Target {
  readonly url: string
  readonly secrets: readonly Buffer[]
}

/** Sends a delivery once. Undefined where it was stopped before its result was known. */
export async function attemptDelivery(
  { guard, clock, stopping }: AttemptOptions,
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
    const answer = await guard.post({ url, headers, body, mostBytes: BODY_BYTES, signal })
    const responseBody = await readExcerpt(answer)
    return ending({ status: answer.status, errorCode: null, responseBody })
  } catch (error) {
    if (stopping.aborted) return undefined
    if (!(error instanceof OutboundRefused)) throw error
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
    // What was read until it broke off is all there is to show.
  } finally {
    clearTimeout(late)
    answer.discard()
  }
  // PostgreSQL stores no NUL in a text.
  return Buffer.concat(chunks).toString().replaceAll('\0', '�')
}
