import { RunTooLong } from '../../platform/jobs/job-errors.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import { StoreUnavailable } from '../../platform/media-store/store-unavailable.ts'
import { OutboundError } from '../../platform/outbound/outbound-error.ts'
import type { Reason } from './asset-store.ts'
import { MediaRejected } from './packaging/media-rejected.ts'

/**
 * Why an asset will never be made; undefined where another attempt may succeed. A fault of the file or its address is
 * final at once, and so is a run that lasted a day; any other fault is final at the last attempt.
 */
export function finalReasonOf(
  error: unknown,
  { isLastTry, signal }: Pick<JobRun, 'isLastTry' | 'signal'>,
): Reason | undefined {
  if (error instanceof MediaRejected) return { code: error.code, message: error.message }
  if (error instanceof OutboundError && error.isFinal) return { code: error.code, message: error.message }
  if (signal.reason instanceof RunTooLong) return GAVE_UP
  // Stopped from outside: the worker ends, or has lost the job.
  if (signal.aborted || !isLastTry) return undefined
  if (error instanceof OutboundError) return { code: error.code, message: error.message }
  // The message of the error contains internal paths.
  if (error instanceof StoreUnavailable) return { code: error.code, message: STORE_UNAVAILABLE }
  return GAVE_UP
}

const STORE_UNAVAILABLE =
  'The media store was unavailable for hours. Hand the program over again when it is back.'

export const GAVE_UP: Reason = {
  code: 'asset.gave_up',
  message: 'Packaging failed at every attempt. Hand the program over again, or contact the operator.',
}
