import type { Problem } from '@continuity/contract'
import { AppError } from '../platform/errors.ts'
import { BodyTooLarge, InternalError, MalformedRequest, UnsupportedBody } from './errors.ts'

export const PROBLEM_TYPE = 'application/problem+json; charset=utf-8'

/** RFC 9457. Clients in the field read `message`, so it repeats `detail`. */
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

/** The framework's own refusals in our words; anything unknown is a bug of ours. */
export function toAppError(error: unknown, bodyLimit: number): AppError {
  if (error instanceof AppError) return error
  const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown }
  switch (code) {
    case 'FST_ERR_CTP_BODY_TOO_LARGE':
      return BodyTooLarge(bodyLimit)
    case 'FST_ERR_CTP_INVALID_MEDIA_TYPE':
      return UnsupportedBody()
    case 'FST_ERR_CTP_INVALID_CONTENT_LENGTH':
      return MalformedRequest('The body is not as long as Content-Length says.')
    case 'FST_ERR_BAD_URL':
    case 'FST_ERR_MAX_PARAM_LENGTH':
      return MalformedRequest('The address is not well formed.')
    default:
  }
  if (typeof statusCode === 'number' && statusCode >= 400 && statusCode < 500) {
    return MalformedRequest('The request could not be read to its end.')
  }
  return InternalError(error)
}
