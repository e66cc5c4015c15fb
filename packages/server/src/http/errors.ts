import { defineError, type Fault } from '../platform/errors.ts'

/** Errors of the HTTP layer, before any module is called. */
export const MalformedRequest = defineError(
  'request.malformed',
  400,
  'The request could not be read',
  (why: string) => why,
)
export const InvalidRequest = defineError(
  'request.invalid',
  400,
  'Fields are missing or out of bounds',
  (faults: readonly Fault[]) => ({
    detail: faults
      .map(({ pointer, message }) => `${pointer === '' ? 'body' : pointer} ${message}`)
      .join('; '),
    options: { faults },
  }),
)
export const InvalidPageCursor = defineError(
  'page.mark_invalid',
  400,
  'The page mark is not valid for this list',
  () =>
    'Send page.page_mark of the previous page as page_offset, with the same filter and sort; leave page_offset out for the first page.',
)
export const MissingCredential = defineError(
  'credential.missing',
  401,
  'No credential was sent',
  () =>
    'Send the access credential in X-Service-Auth and the device id in X-Service-Device or X-Service-DeviceId.',
)
export const InvalidCredential = defineError(
  'credential.invalid',
  401,
  'The credential is not valid',
  () => 'The access credential is not valid for this device. Refresh the session, or log in again.',
)
export const ExpiredCredential = defineError(
  'credential.expired',
  401,
  'The credential has expired',
  () => 'The access credential has expired. Renew it with POST /api/2.1/auth/refresh.',
)
export const MissingRole = defineError(
  'role.missing',
  403,
  'The credential lacks a required role',
  (roles: readonly string[]) => `This needs the role ${roles.join(' or ')}.`,
)
export const RouteNotFound = defineError(
  'route.not_found',
  404,
  'There is nothing at this address',
  (path: string) => `There is nothing at ${path}. The reference is at /docs.`,
)
export const MediaNotFound = defineError(
  'media.not_found',
  404,
  'Media not found',
  (key: string) => `There is no media at ${key}.`,
)
export const UnknownVersion = defineError(
  'version.unknown',
  404,
  'Version not found',
  (version: string) => `There is no version ${version}; there are 2.1 and 2.3.`,
)
export const MethodNotAllowed = defineError(
  'method.not_allowed',
  405,
  'The address does not allow this method',
  (method: string, allowed: readonly string[]) =>
    `${method} is not allowed here. Allowed: ${allowed.join(', ')}.`,
)
export const NotAcceptable = defineError(
  'response.not_acceptable',
  406,
  'The answer is not available in that media type',
  (types: readonly string[]) => `Available media types: ${types.join(', ')}.`,
)
export const RequestTimeout = defineError(
  'request.timeout',
  408,
  'The request did not arrive in time',
  () => 'The request did not arrive in time.',
)
export const RecordChanged = defineError(
  'record.changed',
  412,
  'The record has changed since it was read',
  () => 'The record has changed since it was read. Read it again, then send the change with its new ETag.',
)
export const BodyTooLarge = defineError(
  'body.too_large',
  413,
  'The body is too large',
  (limit: number) => `The body may have ${limit} bytes at most.`,
)
export const UnsupportedBody = defineError(
  'body.unsupported_type',
  415,
  'The body is not JSON',
  () => 'Send the body as application/json, in UTF-8, not compressed.',
)
export const RangeOutside = defineError(
  'range.outside',
  416,
  'The range is outside of the object',
  (sizeBytes: number) => `The object has ${sizeBytes} bytes.`,
)
export const KeyReused = defineError(
  'idempotency.key_reused',
  422,
  'The Idempotency-Key belongs to another request',
  () => 'This Idempotency-Key was used for another request. Send a new key with a new request.',
)
export const HeaderTooLarge = defineError(
  'header.too_large',
  431,
  'The header is too large',
  (limit: number) => `The header may have ${limit} bytes at most.`,
)
export const InternalError = defineError(
  'internal.error',
  500,
  'Something failed on our side',
  (cause: unknown) => ({
    detail: 'Something failed on our side. Name the request_id when you report it.',
    options: { cause },
  }),
)
export const NotBuilt = defineError(
  'operation.not_built',
  501,
  'The operation is not implemented',
  (id: string) => `${id} is not implemented yet.`,
)
export const Overloaded = defineError('server.overloaded', 503, 'The server is busy', () => ({
  detail: 'The server is overloaded. Try again shortly.',
  options: { retryAfterSeconds: 1 },
}))
export const DeadlinePassed = defineError('server.deadline', 503, 'The request took too long', () => ({
  detail: 'The request took too long and was aborted. Try again shortly.',
  options: { retryAfterSeconds: 1 },
}))
export const MediaUnavailable = defineError(
  'media.unavailable',
  503,
  'The media store is unavailable',
  (cause: unknown) => ({
    detail: 'The media store cannot be reached. Try again shortly.',
    options: { cause, retryAfterSeconds: 1 },
  }),
)
