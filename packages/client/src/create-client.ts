import { type Endpoint, type OperationId, operations } from '@continuity/contract'
import { type AnyCallOptions, call, readSession, refresh, type Wire, withRenewal } from './call.ts'
import { type EventOptions, readEvents } from './event-stream.ts'
import type { Client } from './method-types.ts'
import { readAs, readJson, readStream } from './read-answer.ts'
import { parseEvents } from './received-event.ts'
import { readReport } from './report.ts'
import { type AnyInput, isEventStream } from './request.ts'
import { createSessionKeeper, isSessionOperation } from './session-keeper.ts'
import { type ClientOptions, settingsOf } from './settings.ts'

/**
 * A client of one service, with one session at a time.
 *
 * Its methods are derived from the contract when it is created, so a new
 * operation of the contract needs no code here.
 */
export function createClient(options: ClientOptions): Client {
  const settings = settingsOf(options)
  const { session, onSession = () => undefined, refreshWith } = options
  const send = (token: string) => refresh(settings, token)
  const renew = refreshWith === undefined ? send : (token: string) => refreshWith(token, send)
  const keeper = createSessionKeeper(session, onSession, renew)
  const wire = { settings, keeper }
  const methods = Object.fromEntries(Object.entries(operations).map(([id, e]) => [id, methodOf(wire, e)]))
  const streamEvents = streamOf(wire, operations.streamEvents)
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- methodOf branches like MethodOf, and a test compares them.
    ...(methods as Pick<Client, OperationId>),
    get session() {
      return keeper.line.session
    },
    logout: () => keeper.clear(),
    report: (id, query, callOptions = {}) => readReport(wire, operations[id], query, callOptions),
    events: (query = {}, callOptions = {}) => parseEvents(streamEvents({ query }, callOptions)),
  }
}

function methodOf(wire: Wire, e: Endpoint): unknown {
  if (isEventStream(e)) return streamOf(wire, e)
  if (isSessionOperation(e)) return sessionCallOf(wire, e)
  if (e.paging !== undefined) return listingOf(wire, e, e.paging)
  return (input?: AnyInput, options?: AnyCallOptions) => call(wire, e, readJson, input, options)
}

function sessionCallOf(wire: Wire, e: Endpoint) {
  return async (input: AnyInput, options?: AnyCallOptions) => {
    const answer = await call(wire, e, readSession, input, options)
    if (e.id === 'refreshSession') wire.keeper.resume(answer)
    else wire.keeper.open(answer)
    return answer
  }
}

function listingOf(wire: Wire, e: Endpoint, paging: NonNullable<Endpoint['paging']>) {
  const readPage = readAs(isPage)
  const page = (input?: AnyInput, options?: AnyCallOptions) => call(wire, e, readPage, input, options)
  const pages = (input: AnyInput = {}, options?: AnyCallOptions) =>
    pagesOf(paging, input, (one) => page(one, options))
  const all = (input?: AnyInput, options?: AnyCallOptions) => hitsOf(pages(input, options))
  return Object.assign(page, { pages, all })
}

function streamOf({ settings, keeper }: Wire, endpoint: Endpoint) {
  // The stream reconnects by itself, so each of its connections is tried once.
  const wire = { settings: { ...settings, retry: { ...settings.retry, tries: 1 } }, keeper }
  return (input: AnyInput = {}, options: EventOptions = {}) => {
    const { signal, timeoutMs = settings.timeoutMs } = options
    const connect = (lastEventId: string) => {
      const own = lastEventId === '' ? {} : { 'Last-Event-ID': lastEventId }
      return withRenewal(wire, { endpoint, read: readStream, input, own, timeoutMs, signal })
    }
    return readEvents(settings, connect, { ...options, hasEnd: input.query?.['follow'] === false })
  }
}

interface AnyPage {
  readonly hits: readonly unknown[]
  readonly page: { readonly page_mark: string | null }
}

function isPage(value: unknown): value is AnyPage {
  if (typeof value !== 'object' || value === null || !('hits' in value) || !('page' in value)) return false
  const { hits, page } = value
  return Array.isArray(hits) && typeof page === 'object' && page !== null && 'page_mark' in page
}

/** The pages from the requested one to the last, each fetched on demand. */
async function* pagesOf(
  paging: NonNullable<Endpoint['paging']>,
  input: AnyInput,
  fetchPage: (input: AnyInput) => Promise<AnyPage>,
): AsyncGenerator<AnyPage, void, undefined> {
  let query = input.query ?? {}
  const seen = new Set([String(query.page_offset ?? 0)])
  for (;;) {
    const page = await fetchPage({ ...input, query })
    yield page
    const mark = page.page.page_mark
    if (mark === null) return
    // Following it again would be an endless loop.
    if (seen.has(mark)) throw new Error(`The service returned the page mark ${JSON.stringify(mark)} twice`)
    seen.add(mark)
    query = { ...query, page_offset: paging === 'offset' ? Number(mark) : mark }
  }
}

async function* hitsOf(pages: AsyncIterable<AnyPage>): AsyncGenerator<unknown, void, undefined> {
  for await (const page of pages) yield* page.hits
}
