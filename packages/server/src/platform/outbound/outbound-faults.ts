import { OutboundError } from './outbound-error.ts'

/** Converts a network error. An abort by the caller keeps its reason. */
export function toOutboundError(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof OutboundError) return error
  if (signal.aborted) return isTimeout(signal.reason) ? outOfTime(signal.reason) : signal.reason
  const code = (error as { code?: unknown }).code
  const cause = error
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return outboundError(
      'fetch.timeout',
      'The server could not be reached in time; check that it is up.',
      false,
      cause,
    )
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return outboundError('fetch.timeout', 'The server did not begin to answer in time.', false, cause)
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return outboundError('fetch.too_large', 'The headers of the answer are too large.', true, cause)
  if (typeof code === 'string' && CERTIFICATE.test(code))
    return outboundError(
      'fetch.broken',
      `The server's certificate is invalid (${code}); renew or complete it.`,
      true,
      cause,
    )
  return outboundError(
    'fetch.broken',
    'The connection failed or was interrupted; check that the server is up.',
    false,
    cause,
  )
}

/** Error codes of OpenSSL and Node for certificates. */
const CERTIFICATE = /CERT|^ERR_TLS_|UNABLE_TO_(GET|VERIFY)|^CRL_|SELF_SIGNED|^HOSTNAME_MISMATCH$/

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'

/** The time limit is usually half a day, so a retry would not help. */
const outOfTime = (cause: unknown): OutboundError =>
  outboundError(
    'fetch.timeout',
    'The file did not arrive within the time limit; serve it faster.',
    true,
    cause,
  )

const outboundError = (
  code: OutboundError['code'],
  message: string,
  isFinal: boolean,
  cause: unknown,
): OutboundError => new OutboundError(code, message, { isFinal, cause })
