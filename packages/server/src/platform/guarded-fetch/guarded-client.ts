import type { AllowList } from './allow-list.ts'
import { type CheckedAddress, checkAddress, checkLocation } from './check-address.ts'
import { type Clients, createClients } from './clients.ts'
import { createConnector } from './guarded-connect.ts'
import { asRefusal } from './outbound-faults.ts'
import { OutboundRefused } from './outbound-refused.ts'
import { readBody, tooLarge } from './read-body.ts'
import { addressesOfThisMachine, type Lookup, lookupBySystem } from './resolve.ts'

/** The one client through which anything is fetched. */
export interface Guard {
  /** Asks for an address and follows its redirects. Throws OutboundRefused, or the reason of the signal. */
  get(order: OutboundOrder): Promise<OutboundAnswer>
  /** Sends a body to an address. A redirect is an answer like any other: what is sent is meant for this address alone. */
  post(order: OutboundPost): Promise<OutboundAnswer>
  close(): Promise<void>
}

export interface OutboundOrder {
  readonly url: string
  /** A part of the thing, and the validator that the part must belong to. */
  readonly range?: { readonly fromByte: number; readonly validator: string } | undefined
  /** These bytes of the thing, whatever version of it is there; a server may send all of it. */
  readonly bytes?: { readonly from: number; readonly to: number } | undefined
  /** Of the body of this one answer. */
  readonly mostBytes: number
  readonly signal: AbortSignal
}

export interface OutboundPost {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** Of the body of the answer. */
  readonly mostBytes: number
  readonly signal: AbortSignal
}

export interface OutboundAnswer {
  readonly status: number
  readonly header: (name: string) => string | undefined
  /** Reading it closes the connection at the end, and also when it is left early. */
  readonly body: AsyncIterable<Buffer>
  /** Closes the connection of a body that nobody begins to read. */
  discard(): void
}

export interface GuardLimits {
  readonly lookupMs: number
  readonly connectMs: number
  /** Until all headers of an answer are there. */
  readonly headersMs: number
  /** A body brings at least `leastBytes` in each window of this length. */
  readonly windowMs: number
  readonly leastBytes: number
}

export interface GuardOptions {
  readonly allow: AllowList
  readonly limits?: Partial<GuardLimits>
  /** For tests, and for operators with a name service of their own. */
  readonly lookup?: Lookup
  readonly ownAddresses?: () => readonly string[]
  readonly ca?: string
}

/** 10 kB/s is slower than any link that a film comes over, and faster than whoever only wants to hold a worker. */
const usualLimits: GuardLimits = {
  lookupMs: 10_000,
  connectMs: 10_000,
  headersMs: 30_000,
  windowMs: 30_000,
  leastBytes: 300_000,
}

const MOST_REDIRECTS = 3

/**
 * Opens the guard. It has no cookies, sends no credentials, takes no proxy from
 * the environment, and uses each connection once, so that each was just checked.
 */
export function createGuard(options: GuardOptions): Guard {
  const limits = { ...usualLimits, ...options.limits }
  const { allow, ca, lookup = lookupBySystem, ownAddresses = addressesOfThisMachine } = options
  const connect = createConnector({ ...limits, allow, ca, lookup, ownAddresses })
  const clients = createClients(connect, limits)
  return {
    async get(order) {
      let address = checkAddress(order.url, allow)
      for (let redirects = 0; ; redirects += 1) {
        const request = { ...order, method: 'GET', headers: rangeOf(order) } as const
        const answer = await ask(clients, address, request, limits).catch((error) => {
          throw redirects === 0 ? error : afterRedirect(error)
        })
        const location = locationOf(answer)
        if (location === undefined) return checkAnswer(answer, order.mostBytes)
        answer.discard()
        if (redirects === MOST_REDIRECTS) throw tooManyRedirects()
        address = follow(address, location, allow)
      }
    },
    post: async (order) => ask(clients, checkAddress(order.url, allow), { ...order, method: 'POST' }, limits),
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

const rangeOf = ({ range, bytes }: OutboundOrder) => ({
  ...(bytes === undefined ? {} : { range: `bytes=${bytes.from}-${bytes.to - 1}` }),
  ...(range === undefined ? {} : { range: `bytes=${range.fromByte}-`, 'if-range': range.validator }),
})

async function ask(
  clients: Clients,
  { url }: CheckedAddress,
  { method, body, signal, mostBytes, ...request }: OutboundRequest,
  limits: GuardLimits,
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
    // An error that comes after somebody stopped reading is nobody's.
    answer.body.on('error', () => {}).once('close', () => clients.close(client))
    return {
      status: answer.statusCode,
      header: (name) => [answer.headers[name] ?? []].flat().join(', ') || undefined,
      body: readBody(answer.body, { ...limits, mostBytes, signal }),
      discard: () => answer.body.destroy(),
    }
  } catch (error) {
    clients.close(client)
    throw asRefusal(error, signal)
  }
}

/** The client hears of a stop only once it is connected, and names can take long to resolve. */
async function orAborted<T>(asked: Promise<T>, signal: AbortSignal): Promise<T> {
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const stop = () => reject(signal.reason as Error)
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([asked, aborted])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

const locationOf = ({ status, header }: OutboundAnswer): string | undefined =>
  REDIRECTS.has(status) ? header('location') : undefined

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** Refuses what need not be read to know that it is of no use. */
function checkAnswer(answer: OutboundAnswer, mostBytes: number): OutboundAnswer {
  if (answer.status < 200 || answer.status > 299) return answer
  const isEncoded = (answer.header('content-encoding') ?? 'identity').toLowerCase() !== 'identity'
  const isTooLarge = Number(answer.header('content-length') ?? 0) > mostBytes
  if (!isEncoded && !isTooLarge) return answer
  answer.discard()
  throw isTooLarge ? tooLarge() : encoded()
}

const encoded = (): OutboundRefused =>
  new OutboundRefused(
    'fetch.encoded',
    'The server compresses its answer although it was asked not to; serve the file as it is.',
    { isFinal: true },
  )

/** A redirect is an address like any other, only that it must not give up encryption. */
function follow(from: CheckedAddress, location: string, allow: AllowList): CheckedAddress {
  try {
    const to = checkLocation(location, from.url, allow)
    if (!from.isEncrypted || to.isEncrypted) return to
  } catch (error) {
    throw afterRedirect(error)
  }
  const message =
    'The address redirects from https to http; redirect to https, or give the last address itself.'
  throw new OutboundRefused('address.forbidden', message, { isFinal: true })
}

/** Whoever gave the first address has to know that it is not the one that is wrong. */
function afterRedirect(error: unknown): unknown {
  if (!(error instanceof OutboundRefused)) return error
  const { code, message, isFinal, cause } = error
  return new OutboundRefused(code, `After a redirect: ${message}`, { isFinal, cause })
}

const tooManyRedirects = (): OutboundRefused =>
  new OutboundRefused(
    'fetch.too_many_redirects',
    `The address redirects more than ${MOST_REDIRECTS} times; give the last address itself.`,
    { isFinal: true },
  )
