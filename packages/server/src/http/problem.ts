import type { Problem } from '@continuity/contract'
import { AppError } from '../platform/errors.ts'
import { BodyTooLarge, InternalError, MalformedRequest, UnsupportedBody } from './errors.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** RFC 9457. Existing clients read `message`, so it repeats `detail`. */
export function toProblem(error: AppError, instance: string, requestId: string): Problem {
  const { code, status, title } = error.kind
  return {
    type: `/docs#${code}`,
    title,
    status,
    detail: error.message,
    instance,
    message: error.message,
    code,
    request_id: requestId,
    ...(error.faults === undefined ? {} : { errors: [...error.faults] }),
  }
}

/** Maps the framework's own errors; anything unknown is an internal error. */
export function toAppError(error: unknown, bodyLimit: number): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return BodyTooLarge(bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return UnsupportedBody()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return MalformedRequest('The length of the body differs from Content-Length.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return MalformedRequest('The address is not well formed.')
    default:
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return MalformedRequest('The request is incomplete.')
  }
  return InternalError(error)
}
