import { type buildConnector, Client } from 'undici'
import type { AllowList } from './allow-list.ts'
import { type CheckedAddress, checkAddress, checkLocation } from './check-address.ts'
import { createConnector } from './guarded-connect.ts'
import { OutboundError } from './outbound-error.ts'
import { toOutboundError } from './outbound-faults.ts'
import { readBody, tooLarge } from './read-body.ts'
import { addressesOfThisMachine, type Lookup, lookupBySystem } from './resolve.ts'

/** The only client that fetches from addresses given by customers. */
export interface OutboundClient {
  /** Gets an address and follows redirects. Throws OutboundError, or the reason of the signal. */
  get(options: OutboundGetOptions): Promise<OutboundAnswer>
  /** Posts a body to an address. Redirects are not followed: the body is for this address only. */
  post(options: OutboundPostOptions): Promise<OutboundAnswer>
  close(): Promise<void>
}

export interface OutboundGetOptions {
  readonly url: string
  /** Resumes at a byte, if the validator still matches. */
  readonly range?: { readonly fromByte: number; readonly validator: string } | undefined
  /** These bytes, of any version; a server may send all of it. */
  readonly bytes?: { readonly from: number; readonly to: number } | undefined
  /** The most bytes of this answer's body. */
  readonly mostBytes: number
  readonly signal: AbortSignal
}

export interface OutboundPostOptions {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** The most bytes of the answer's body. */
  readonly mostBytes: number
  readonly signal: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  /** The connection closes at its end, and when the reader stops early. */
  readonly body: AsyncIterable<Buffer>
  /** Closes the connection without reading the body. */
  discard(): void
}

export interface OutboundLimits {
  readonly lookupMs: number
  readonly connectMs: number
  /** Until all headers of an answer have arrived. */
  readonly headersMs: number
  /** A body must bring at least `leastBytes` in each window of this length. */
  readonly windowMs: number
  readonly leastBytes: number
}

export interface OutboundClientOptions {
  readonly allow: AllowList
  readonly limits?: Partial<OutboundLimits>
  /** For tests, and for operators with their own DNS. */
  readonly lookup?: Lookup
  readonly ownAddresses?: () => readonly string[]
  readonly ca?: string
}

/** 10 kB/s is slower than any link that films come over, and faster than a client that only wants to block a worker. */
const usualLimits: OutboundLimits = {
  lookupMs: 10_000,
  connectMs: 10_000,
  headersMs: 30_000,
  windowMs: 30_000,
  leastBytes: 300_000,
}

const MOST_REDIRECTS = 3

/**
 * Has no cookies, sends no credentials, ignores proxy variables, and uses each connection once, so that each was just
 * checked.
 */
export function createOutboundClient(clientOptions: OutboundClientOptions): OutboundClient {
  const limits = { ...usualLimits, ...clientOptions.limits }
  const { allow, ca, lookup = lookupBySystem, ownAddresses = addressesOfThisMachine } = clientOptions
  const connect = createConnector({ ...limits, allow, ca, lookup, ownAddresses })
  const clients = createClients(connect, limits)
  return {
    async get(options) {
      let address = checkAddress(options.url, allow)
      for (let redirects = 0; ; redirects += 1) {
        const request = { ...options, method: 'GET', headers: rangeOf(options) } as const
        const answer = await sendRequest(clients, address, request, limits).catch((error) => {
          throw redirects === 0 ? error : afterRedirect(error)
        })
        const location = locationOf(answer)
        if (location === undefined) return checkAnswer(answer, options.mostBytes)
        answer.discard()
        if (redirects === MOST_REDIRECTS) throw tooManyRedirects()
        address = follow(address, location, allow)
      }
    },
    post: async (options) =>
      sendRequest(clients, checkAddress(options.url, allow), { ...options, method: 'POST' }, limits),
    close: () => clients.closeAll(),
  }
}

interface OutboundRequest {
  readonly method: 'GET' | 'POST'
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
  readonly mostBytes: number
  readonly signal: AbortSignal
}

const rangeOf = ({ range, bytes }: OutboundGetOptions) => ({
  ...(bytes === undefined ? {} : { range: `bytes=${bytes.from}-${bytes.to - 1}` }),
  ...(range === undefined ? {} : { range: `bytes=${range.fromByte}-`, 'if-range': range.validator }),
})

async function sendRequest(
  clients: Clients,
  { url }: CheckedAddress,
  { method, body, signal, mostBytes, ...request }: OutboundRequest,
  limits: OutboundLimits,
): Promise<OutboundAnswer> {
  const headers = {
    accept: '*/*',
    'accept-encoding': 'identity',
    'user-agent': 'Continuity',
    ...request.headers,
  }
  const client = clients.open(url.origin)
  try {
    signal.throwIfAborted()
    const path = `${url.pathname}${url.search}`
    const answer = await orAborted(
      client.request({ path, method, headers, body: body ?? null, signal }),
      signal,
    )
    // Errors after the reader has stopped are ignored.
    answer.body.on('error', () => {}).once('close', () => clients.close(client))
    return {
      status: answer.statusCode,
      header: (name) => [answer.headers[name] ?? []].flat().join(', ') || undefined,
      body: readBody(answer.body, { ...limits, mostBytes, signal }),
      discard: () => answer.body.destroy(),
    }
  } catch (error) {
    clients.close(client)
    throw toOutboundError(error, signal)
  }
}

/** The HTTP client notices an abort only once it is connected, and resolving a name can take long. */
async function orAborted<T>(request: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([request, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const locationOf = ({ status, header }: OutboundAnswer): string | undefined =>
  REDIRECTS.has(status) ? header('location') : undefined

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Rejects an answer that is useless by its headers. */
function checkAnswer(answer: OutboundAnswer, mostBytes: number): OutboundAnswer {
  if (answer.status < 200 || answer.status > 299) return answer
  const isEncoded = (answer.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity'
  const isTooLarge = Number(answer.header('content-length') ?? 0) > mostBytes
  if (!isEncoded && !isTooLarge) return answer
  answer.discard()
  throw isTooLarge ? tooLarge() : encoded()
}

const encoded = (): OutboundError =>
  new OutboundError(
    'fetch.encoded',
    'The server compresses its answer although the request excluded that; serve the file uncompressed.',
    { isFinal: true },
  )

/** A redirect is checked like any address, and must not downgrade from https. */
function follow(from: CheckedAddress, location: string, allow: AllowList): CheckedAddress {
  try {
    const to = checkLocation(location, from.url, allow)
    if (!from.isEncrypted || to.isEncrypted) return to
  } catch (error) {
    throw afterRedirect(error)
  }
  const message = 'The address redirects from https to http; redirect to https, or use the final address.'
  throw new OutboundError('address.forbidden', message, { isFinal: true })
}

/** The caller has to know that the first address is not the wrong one. */
function afterRedirect(error: unknown): unknown {
  if (!(error instanceof OutboundError)) return error
  const { code, message, isFinal, cause } = error
  return new OutboundError(code, `After a redirect: ${message}`, { isFinal, cause })
}

const tooManyRedirects = (): OutboundError =>
  new OutboundError(
    'fetch.too_many_redirects',
    `The address redirects more than ${MOST_REDIRECTS} times; use the final address.`,
    { isFinal: true },
  )

interface Clients {
  open(origin: string): Client
  close(client: Client): void
  closeAll(): Promise<void>
}

const MOST_HEADER_BYTES = 16_384

/**
 * A client per request, with one connection. A pool would keep one for every host ever used, and customers choose the
 * hosts.
 */
function createClients(connect: buildConnector.connector, limits: { readonly headersMs: number }): Clients {
  const open = new Set<Client>()
  const close = (client: Client) => {
    open.delete(client)
    return client.destroy()
  }
  return {
    open(origin) {
      const client = new Client(origin, {
        connect,
        // Disables keep-alive in undici.
        pipelining: 0,
        maxHeaderSize: MOST_HEADER_BYTES,
        headersTimeout: limits.headersMs,
        // The rate of the body is checked in read-body.ts, which also notices silence.
        bodyTimeout: 0,
      })
      open.add(client)
      return client
    },
    close: (client) => void close(client),
    closeAll: async () => void (await Promise.all([...open].map(close))),
  }
}
