import { type Figures, median, quantile, round } from '../../../tools/figures/figures.ts'
import { openBareClient } from '../ask/ask-bare.ts'
import { type HttpClient, type HttpRequest, openHttpClient } from '../ask/ask-http.ts'
import { askInTurn } from '../ask/in-turn.ts'
import { recordStatements } from '../ask/record-statements.ts'
import { headersOf } from '../sessions.ts'
import { findSearchCases, type SearchCase } from './search-cases.ts'
import { ratiosOf, type Subject, takeInRounds } from './subject.ts'
import { openWriter, type Writer } from './writes.ts'

const CLIENTS = 2

/** Searches by HTTP, their statements by themselves, and the searches again while others write. */
export async function measureSearch(subject: Subject): Promise<Figures> {
  using client = openHttpClient(subject.server.url)
  const cases = await findSearchCases(subject.catalog.ownerUrl, subject.videos)
  const writer = await openWriter(client, subject)
  const turnedAway: string[] = []
  const search = (order: HttpRequest) => askUnlessBusy(client, order, turnedAway)
  let figures: Figures = {}
  for (const one of cases) figures = { ...figures, ...(await measureCase(subject, one, search, writer)) }
  for (const failure of writer.failures.slice(0, 5)) subject.say(`a write failed: ${failure}`)
  return {
    ...figures,
    searches_turned_away: turnedAway.length,
    writes_answered: writer.tookMs.length - writer.failures.length,
    writes_failed: writer.failures.length,
    writes_p95_ms: round(quantile(writer.tookMs, 0.95), 2),
  }
}

async function measureCase(
  subject: Subject,
  one: SearchCase,
  search: (order: HttpRequest) => Promise<void>,
  writer: Writer,
): Promise<Figures> {
  const { catalog, secondsPerRound: seconds, say } = subject
  const orders = ordersOf(subject, one)
  say(`${one.name}: ${orders.length} searches that find about ${one.matches} videos each`)
  const recorded = await recordStatements(catalog.serviceUrl, orders)
  if (recorded.some(({ hits }) => hits === 0)) throw new Error(`a search of ${one.name} found nothing`)
  const statements = recorded.map((asked) => asked.statements)
  await using bare = await openBareClient(catalog.serviceUrl, CLIENTS)
  const load = { clients: CLIENTS, seconds }
  const p95 = async (asked: Promise<number[]>) => quantile(await asked, 0.95)
  const ask = () => p95(askInTurn(orders, load, search))
  const taken = await takeInRounds(subject, `${one.name}, p95 ms`, {
    ours: ask,
    bare: () => p95(askInTurn(statements, load, (these, connection) => bare.ask(these, connection))),
    beside: () => writer.beside(ask),
  })
  const name = `search_${one.name}`
  return {
    [`${name}_p95_ms`]: round(median(taken.ours), 2),
    [`${name}_bare_p95_ms`]: round(median(taken.bare), 2),
    [`${name}_ratio`]: round(median(ratiosOf(taken.ours, taken.bare)), 3),
    [`${name}_beside_writes_p95_ms`]: round(median(taken.beside), 2),
    [`${name}_matches`]: one.matches,
    [`${name}_variants`]: orders.length,
  }
}

/** A machine that others are busy on may let no connection free in time. That is told, and anything else ends the bench. */
async function askUnlessBusy(client: HttpClient, order: HttpRequest, turnedAway: string[]): Promise<void> {
  const { status, text } = await client.ask(order)
  if (status === 503) turnedAway.push(text)
  else if (status !== 200) throw new Error(`a search was answered ${status}: ${text}`)
}

const ordersOf = ({ sessions }: Subject, { bodies }: SearchCase): HttpRequest[] =>
  bodies.map((body, i) => ({
    method: 'POST',
    path: '/api/2.1/search/videos',
    headers: { ...headersOf(sessions[i % sessions.length]!), 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  }))
