import { OutboundRefused } from '../../platform/guarded-fetch/outbound-refused.ts'
import { RunTooLong } from '../../platform/jobs/job-errors.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import { StoreUnavailable } from '../../platform/media-store/store-unavailable.ts'
import { MediaRefused } from './packaging/media-refused.ts'
import type { Reason } from './request-store.ts'

/**
 * Why an asset will never be made; undefined for what may get better. What the
 * file or its address is to blame for is final at once, and so is a run that
 * lasted a day; everything else is when there is no try left.
 */
export function finalReasonOf(
  error: unknown,
  { isLastTry, signal }: Pick<JobRun, 'isLastTry' | 'signal'>,
): Reason | undefined {
  if (error instanceof MediaRefused) return { code: error.code, message: error.message }
  if (error instanceof OutboundRefused && error.isFinal) return { code: error.code, message: error.message }
  if (signal.reason instanceof RunTooLong) return GAVE_UP
  // Stopped from outside: the worker ends, or has lost the job.
  if (signal.aborted || !isLastTry) return undefined
  if (error instanceof OutboundRefused) return { code: error.code, message: error.message }
  // Its own words name places that are nobody else's business.
  if (error instanceof StoreUnavailable) return { code: error.code, message: STORE_AWAY }
  return GAVE_UP
}

const STORE_AWAY = 'The media store took nothing for hours. Hand the program over again when it does.'

export const GAVE_UP: Reason = {
  code: 'asset.gave_up',
  message:
    'It was tried several times and failed each time. Hand the program over again, or ask the operator.',
}
