import { OutboundRefused } from './outbound-refused.ts'

/** Says in our words what went wrong on the way. A stop that the caller asked for stays what it is. */
export function asRefusal(error: unknown, signal: AbortSignal): unknown {
  if (error instanceof OutboundRefused) return error
  if (signal.aborted) return isTimeout(signal.reason) ? outOfTime(signal.reason) : signal.reason
  const code = (error as { code?: unknown }).code
  const cause = error
  if (code === 'UND_ERR_CONNECT_TIMEOUT' || code === 'ETIMEDOUT')
    return refusal(
      'fetch.timeout',
      'The server could not be reached in time; check that it is up.',
      false,
      cause,
    )
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return refusal('fetch.timeout', 'The server did not begin to answer in time.', false, cause)
  if (code === 'UND_ERR_HEADERS_OVERFLOW' || code === 'HPE_HEADER_OVERFLOW')
    return refusal('fetch.too_large', 'The server answers with more headers than are read.', true, cause)
  if (typeof code === 'string' && CERTIFICATE.test(code))
    return refusal(
      'fetch.broken',
      `The server's certificate does not hold (${code}); renew or complete it.`,
      true,
      cause,
    )
  return refusal(
    'fetch.broken',
    'The connection failed or broke off; check that the server is up.',
    false,
    cause,
  )
}

/** Names that OpenSSL and Node give to what is wrong with a certificate. */
const CERTIFICATE = /CERT|^ERR_TLS_|UNABLE_TO_(GET|VERIFY)|^CRL_|SELF_SIGNED|^HOSTNAME_MISMATCH$/

const isTimeout = (reason: unknown): boolean =>
  reason instanceof DOMException && reason.name === 'TimeoutError'

/** It had half a day as a rule, and gets no second one. */
const outOfTime = (cause: unknown): OutboundRefused =>
  refusal(
    'fetch.timeout',
    'The file did not arrive in the time that one may take; serve it faster.',
    true,
    cause,
  )

const refusal = (
  code: OutboundRefused['code'],
  message: string,
  isFinal: boolean,
  cause: unknown,
): OutboundRefused => new OutboundRefused(code, message, { isFinal, cause })
