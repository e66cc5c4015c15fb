import { type Figures, median, quantile, round } from '@continuity/dev/figures'
import { openBareClient } from '../client/bare-client.ts'
import { type HttpClient, type HttpRequest, openHttpClient } from '../client/http-client.ts'
import { recordStatements } from '../client/record-statements.ts'
import { runRoundRobin } from '../client/round-robin.ts'
import { headersOf } from '../sessions.ts'
import { findSearchCases, type SearchCase } from './search-cases.ts'
import { measureInRounds, ratiosOf, type Subject } from './subject.ts'
import { openWriter, type Writer } from './writes.ts'

const CLIENTS = 2

/** Searches by HTTP, their statements alone, and the searches again during writes. */
export async function measureSearch(subject: Subject): Promise<Figures> {
  using client = openHttpClient(subject.server.url)
  const cases = await findSearchCases(subject.catalog.ownerUrl, subject.videos)
  const writer = await openWriter(client, subject)
  const rejected: string[] = []
  const search = (request: HttpRequest) => sendUnlessBusy(client, request, rejected)
  let figures: Figures = {}
  for (const one of cases) figures = { ...figures, ...(await measureCase(subject, one, search, writer)) }
  for (const failure of writer.failures.slice(0, 5)) subject.log(`a write failed: ${failure}`)
  return {
    ...figures,
    searches_turned_away: rejected.length,
    writes_answered: writer.tookMs.length - writer.failures.length,
    writes_failed: writer.failures.length,
    writes_p95_ms: round(quantile(writer.tookMs, 0.95), 2),
  }
}

async function measureCase(
  subject: Subject,
  one: SearchCase,
  search: (request: HttpRequest) => Promise<void>,
  writer: Writer,
): Promise<Figures> {
  const { catalog, secondsPerRound: seconds, log } = subject
  const requests = requestsOf(subject, one)
  log(`${one.name}: ${requests.length} searches that find about ${one.matches} videos each`)
  const recorded = await recordStatements(catalog.serviceUrl, requests)
  if (recorded.some(({ hits }) => hits === 0)) throw new Error(`a search of ${one.name} found nothing`)
  const statements = recorded.map((recordedRequest) => recordedRequest.statements)
  await using bare = await openBareClient(catalog.serviceUrl, CLIENTS)
  const load = { clients: CLIENTS, seconds }
  const p95 = async (times: Promise<number[]>) => quantile(await times, 0.95)
  const searchAll = () => p95(runRoundRobin(requests, load, search))
  const measured = await measureInRounds(subject, `${one.name}, p95 ms`, {
    ours: searchAll,
    bare: () => p95(runRoundRobin(statements, load, (these, connection) => bare.query(these, connection))),
    beside: () => writer.beside(searchAll),
  })
  const name = `search_${one.name}`
  return {
    [`${name}_p95_ms`]: round(median(measured.ours), 2),
    [`${name}_bare_p95_ms`]: round(median(measured.bare), 2),
    [`${name}_ratio`]: round(median(ratiosOf(measured.ours, measured.bare)), 3),
    [`${name}_beside_writes_p95_ms`]: round(median(measured.beside), 2),
    [`${name}_matches`]: one.matches,
    [`${name}_variants`]: requests.length,
  }
}

/** A busy machine may have no free connection in time: such rejections are counted, any other error ends the bench. */
async function sendUnlessBusy(client: HttpClient, request: HttpRequest, rejected: string[]): Promise<void> {
  const { status, text } = await client.send(request)
  if (status === 503) rejected.push(text)
  else if (status !== 200) throw new Error(`a search failed with ${status}: ${text}`)
}

const requestsOf = ({ sessions }: Subject, { bodies }: SearchCase): HttpRequest[] =>
  bodies.map((body, i) => ({
    method: 'POST',
    path: '/api/2.1/search/videos',
    headers: { ...headersOf(sessions[i % sessions.length]!), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }))
