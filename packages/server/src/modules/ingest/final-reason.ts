import { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'
import { allJobs } from '../../platform/jobs/all-jobs.ts'
import { StoreUnavailable } from '../../platform/media-store/store-unavailable.ts'
import { MediaRefused } from './packaging/media-refused.ts'
import type { Reason } from './request-store.ts'

/**
 * Why an asset will never be made; undefined for what may get better. What the
 * file or its address is to blame for is final at once; everything else is when
 * there is no try left.
 */
export function finalReasonOf(error: unknown, { attempt, signal }: Attempt): Reason | undefined {
  if (error instanceof MediaRefused) return { code: error.code, message: error.message }
  // A server that took half a day over one file gets no second half of a day.
  const isSpent = error instanceof OutboundRefused && (error.isFinal || error.code === 'fetch.timeout')
  if (isSpent) return { code: error.code, message: error.message }
  // Stopped from outside: the worker ends, or has lost the job.
  if (signal.aborted || attempt <= allJobs.package_asset.retries) return undefined
  if (error instanceof OutboundRefused) return { code: error.code, message: error.message }
  if (error instanceof StoreUnavailable) return { code: error.code, message: error.message }
  return GAVE_UP
}

export const GAVE_UP: Reason = {
  code: 'asset.gave_up',
  message:
    'It was tried several times and failed each time. Hand the program over again, or ask the operator.',
}

interface Attempt {
  readonly attempt: number
  readonly signal: AbortSignal
}
