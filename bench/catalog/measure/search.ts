import { type Figures, median, quantile, round } from '@continuity/dev/figures'
import { seededRandom } from '@continuity/dev/seeded-random'
import { openBareClient } from '../client/bare-client.ts'
import { type HttpClient, type HttpRequest, openHttpClient } from '../client/http-client.ts'
import { recordStatements } from '../client/record-statements.ts'
import { runRoundRobin } from '../client/round-robin.ts'
import { planCatalog } from '../generate/catalog-plan.ts'
import { makeVideo } from '../generate/make-video.ts'
import { makeVocabulary } from '../generate/vocabulary.ts'
import { BIG_ACCOUNT } from '../load/accounts.ts'
import { headersOf } from '../sessions.ts'
import { drawVideos } from './draw-videos.ts'
import { findSearchCases, type SearchCase } from './search-cases.ts'
import { measureInRounds, ratiosOf, type Subject } from './subject.ts'

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

const PER_SECOND = 50
const POLL_EVERY_MS = 5

/** Creates and changes videos during another measurement. */
interface Writer {
  /** Resolves when all writes have been answered. */
  beside<T>(work: () => Promise<T>): Promise<T>
  readonly tookMs: readonly number[]
  readonly failures: readonly string[]
}

async function openWriter(client: HttpClient, subject: Subject): Promise<Writer> {
  const nextWrite = await writesOf(subject)
  const tookMs: number[] = []
  const failures: string[] = []
  const write = async () => {
    const { status, text, tookMs: took } = await client.send(nextWrite())
    tookMs.push(took)
    if (status < 200 || status > 299) failures.push(`${status} ${text}`)
  }
  return {
    tookMs,
    failures,
    async beside(work) {
      const sent: Promise<void>[] = []
      const startMs = performance.now()
      // At a constant rate, independent of the answers: waiting for them would reduce the load when writes are slow.
      const sendDue = () => {
        const due = Math.floor(((performance.now() - startMs) * PER_SECOND) / 1_000)
        while (sent.length < due) sent.push(write())
      }
      const timer = setInterval(sendDue, POLL_EVERY_MS)
      try {
        return await work()
      } finally {
        clearInterval(timer)
        await Promise.all(sent)
      }
    },
  }
}

/** Three of four change the text of a video, which updates the index; the fourth creates one. */
async function writesOf({ catalog, sessions, videos }: Subject): Promise<() => HttpRequest> {
  const drawn = await drawVideos(catalog.ownerUrl, videos, 2_000)
  const vocabulary = makeVocabulary()
  const plan = planCatalog(vocabulary, { seed: 3, accountId: BIG_ACCOUNT, videos: 10_000 })
  const random = seededRandom(Date.now())
  const headers = { ...headersOf(sessions[0]!), 'Content-Type': 'application/json' }
  let count = 0
  return () => {
    count += 1
    const { record } = makeVideo(vocabulary, plan, Math.floor(random() * plan.videos))
    const { title, description, keywords, duration, genres, audio_language } = record
    if (count % 4 > 0) {
      const { video_id } = drawn[Math.floor(random() * drawn.length)]!
      const body = JSON.stringify({ description, keywords })
      return { method: 'PATCH', path: `/api/2.1/videos/${video_id}`, headers, body }
    }
    const date_published = new Date().toISOString()
    const draft = {
      title,
      description,
      keywords,
      duration,
      genres,
      audio_language,
      date_published,
      status: 'READY',
    }
    return { method: 'POST', path: '/api/2.1/videos', headers, body: JSON.stringify(draft) }
  }
}
