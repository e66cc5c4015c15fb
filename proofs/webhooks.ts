import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import { type AddressInfo, createServer as createSocketServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, quantile, round } from '@continuity/dev/figures'
import { keepDoing } from '@continuity/dev/keep-doing'
import { measured } from '@continuity/dev/measured'
import { ensureSecretKeys } from '@continuity/dev/secret-keys'
import { seededRandom } from '@continuity/dev/seeded-random'
import type { Sql } from '@continuity/dev/sql'
import { pollUntil } from '@continuity/dev/waiting'
import { Webhook as Verifier } from 'standardwebhooks'
import { proof } from './proof.ts'
import { openSession } from './shared/ingest-system.ts'
import { killAtOnce } from './shared/on-air-system.ts'
import { type Site, startSite } from './shared/site.ts'

interface WebhooksSize {
  /** Changes whose delay is measured, with and without bad endpoints. */
  readonly samples: number
  readonly kills: number
  /** Sources of the account whose workers are killed, one of which is changed so often. */
  readonly sources: number
  readonly changeEveryMs: number
}

/** More than the slots of a worker of either kind, so that bad endpoints could fill them all. */
const BAD_ACCOUNTS = 9
const BAD_WEBHOOKS = 8
/** At least so many of them are tried, which is as many as there are slots, and so often in all. */
const SLOTS = 32
const BAD_ATTEMPTS = 72
/** Timeout for leases and retries, on a busy machine. */
const PATIENCE_MS = 180_000
/** How long the endpoint of the killed workers takes: long enough for a kill during a request. */
const HOLD_MS = 150
/** Share of first attempts that fail there; each delays its source by five seconds. */
const FAULTS = 1 / 80
/** A measurement stops after so much delay in all. */
const ENOUGH_MS = 200_000
/** Used by no webhook: it must verify nothing. */
const OTHER_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`

export const webhooks = proof<WebhooksSize>({
  name: 'webhooks',
  title: 'Webhooks: killed workers and bad endpoints',
  promise:
    'Live sources of accounts are changed through the API, and workers send the events to real endpoints. 72 webhooks of nine ' +
    'accounts lead to endpoints that take 30 s, answer 500, redirect to an address of this machine or never read: the ' +
    'deliveries of another account are as late as without them. Then workers are killed (SIGKILL) while their requests are ' +
    'in progress, and an endpoint loses responses and fails at times: every change arrives, those of a source in order, repeats ' +
    'under the same id, and every signature is verified by the package standardwebhooks, through a rotation of the secret.',
  sizes: {
    small: { samples: 7, kills: 1, sources: 4, changeEveryMs: 300 },
    full: { samples: 300, kills: 20, sources: 12, changeEveryMs: 60 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const random = seededRandom(seed)
    const start = async (respond: Respond) => opened.use(await startEndpoint(respond))
    const inner = await start((response) => response.end())
    const late = await start((response) => void setTimeout(() => response.end(), 30_000).unref())
    const broken = await start((response) => response.writeHead(500).end('no'))
    const redirecting = await start((response) => response.writeHead(307, { location: inner.url }).end())
    const silent = opened.use(await startSilentEndpoint())
    const good = await start((response) => response.end('ok'))
    const secrets = { first: '', rotated: OTHER_SECRET } // set when they are created
    const signed = { first: 0, both: 0, foreign: 0 }
    const faulty = await start((response, arrival, isFirst) => {
      // At once: the package rejects timestamps older than five minutes.
      const bySecret = isSigned(secrets.first, arrival)
      signed.first += bySecret ? 1 : 0
      signed.both += bySecret && isSigned(secrets.rotated, arrival) ? 1 : 0
      signed.foreign += isSigned(OTHER_SECRET, arrival) ? 1 : 0
      const chance = random()
      if (isFirst && chance < FAULTS) response.writeHead(500).end()
      else if (isFirst && chance < 2 * FAULTS) response.destroy()
      else setTimeout(() => response.end('ok'), HOLD_MS)
    })

    const site = await startSite(opened)
    const settings = {
      ...(await ensureSecretKeys(site.home)),
      // Of the inner endpoint, no address is allowed.
      OUTBOUND_ALLOW: [late, broken, redirecting, silent, good, faulty].map(({ host }) => host).join(),
    }
    const { url } = await site.startApi({ name: 'api', settings })
    const startWorker = () => site.startWorker({ name: 'worker', settings })
    let worker = await startWorker()

    const quiet = await openStation(site, url, 'quiet', 4)
    await quiet.addWebhook(good.url)
    await measureDelays(quiet, good, 5)
    const without = await measureDelays(quiet, good, size.samples)
    const mixed = [late, silent, late, broken, late, silent, late, redirecting]
    const bad: Station[] = []
    for (let i = 0; i < BAD_ACCOUNTS; i += 1) {
      const station = await openStation(site, url, `bad-${i}`, 2)
      for (let n = 0; n < BAD_WEBHOOKS; n += 1) await station.addWebhook(mixed[n % mixed.length]!.url)
      bad.push(station)
    }
    log('bad endpoints are registered')
    const loading = keepChanging(bad, 200)
    await untilTried(site.sql)
    const withBad = await measureDelays(quiet, good, size.samples)
    const isEnough = async () => {
      const { webhooks: tried, attempts } = await countAttempts(site.sql)
      return (tried >= SLOTS && attempts >= BAD_ATTEMPTS) || undefined
    }
    await pollUntil(isEnough, PATIENCE_MS)
    await loading.stop()
    log(`median ${round(median(without), 0)} ms alone, ${round(median(withBad), 0)} ms beside bad endpoints`)

    const busy = await openStation(site, url, 'busy', size.sources)
    const { webhook_id: webhookId, secret } = await busy.addWebhook(faulty.url)
    secrets.first = secret
    const changing = keepChanging([busy], size.changeEveryMs)
    let [killed, struck] = [0, 0]
    while (killed < size.kills) {
      if (!(await pollUntil(() => faulty.inFlight() > 0 || undefined, PATIENCE_MS))) break
      await sleep((random() * HOLD_MS) / 2)
      struck += faulty.inFlight() > 0 ? 1 : 0
      await killAtOnce(worker.child)
      killed += 1
      if (killed === 1) secrets.rotated = await busy.rotateSecret(webhookId)
      worker = await startWorker()
      const before = faulty.arrivals.length
      await pollUntil(() => faulty.arrivals.length > before || undefined, PATIENCE_MS)
      if (killed % 5 === 0) log(`${killed} kills, ${faulty.arrivals.length} arrivals`)
    }
    await changing.stop()
    const happened = sum([...busy.changes.values()])
    await untilArrived(faulty, happened)
    await worker.child.stop()

    const checked = checkArrivals(faulty.arrivals, busy.changes)
    for (const fault of checked.faults.slice(0, 10)) log(fault)
    const attempted = await countAttempts(site.sql)
    return measured({
      changes: [happened, { atLeast: size.kills * 20 }],
      events_lost: [checked.lost, { is: 0 }],
      events_invented: [checked.invented, { is: 0 }],
      out_of_order: [checked.outOfOrder, { is: 0 }],
      repeats: [checked.repeats, { atLeast: 1 }],
      repeats_under_another_id: [checked.otherIds, { is: 0 }],
      signatures_not_verified: [faulty.arrivals.length - signed.first, { is: 0 }],
      verified_by_both_secrets: [signed.both, { atLeast: 10 }],
      verified_by_a_foreign_secret: [signed.foreign, { is: 0 }],
      workers_killed: [killed, { is: size.kills }],
      kills_while_requests_were_under_way: [struck, { atLeast: Math.ceil(size.kills / 3) }],
      bad_webhooks_tried: [attempted.webhooks, { atLeast: SLOTS }],
      bad_attempts: [attempted.attempts, { atLeast: BAD_ATTEMPTS }],
      bad_deliveries_that_succeeded: [attempted.delivered, { is: 0 }],
      requests_to_the_inner_address: [inner.arrivals.length, { is: 0 }],
      measured_deliveries: [without.length + withBad.length, { is: 2 * size.samples }],
      delay_ratio_median: [round(median(withBad) / median(without), 2), { atMost: 4 }],
      delay_ratio_p90: [round(quantile(withBad, 0.9) / quantile(without, 0.9), 2), { atMost: 6 }],
    })
  },
})

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

/** A request that an endpoint received. */
interface Arrival {
  readonly atMs: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

interface Endpoint extends AsyncDisposable {
  /** As in the outbound client's allow list. */
  readonly host: string
  readonly url: string
  readonly arrivals: readonly Arrival[]
  /** Requests without a response yet. */
  inFlight(): number
}

type Respond = (response: ServerResponse, arrival: Arrival, isFirst: boolean) => void

/** Records its requests; the first of an id is told from repeats. */
async function startEndpoint(respond: Respond): Promise<Endpoint> {
  const arrivals: Arrival[] = []
  const ids = new Set<string>()
  let inFlight = 0
  const server = createServer(async (request, response) => {
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
    })
    const body = (await request.toArray()).map(String).join('')
    const arrival = { atMs: performance.now(), body, headers: request.headers as Record<string, string> }
    const id = arrival.headers['webhook-id'] ?? ''
    const isFirst = !ids.has(id)
    ids.add(id)
    arrivals.push(arrival)
    respond(response, arrival, isFirst)
  })
  return { ...(await listen(server)), arrivals, inFlight: () => inFlight }
}

/** Accepts connections and never reads from them. */
async function startSilentEndpoint(): Promise<Endpoint> {
  const server = createSocketServer({ pauseOnConnect: true }, () => {})
  return { ...(await listen(server)), arrivals: [], inFlight: () => 0 }
}

async function listen(server: Server) {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    host,
    url: `http://${host}/hook`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

type Station = Awaited<ReturnType<typeof openStation>>

/** An account whose live sources are renamed to increasing numbers, which its events contain. */
async function openStation(site: Site, apiUrl: string, name: string, sources: number) {
  const [login] = await site.addAccount(name)
  const { call } = await openSession(apiUrl, login)
  /** The number of the last rename by source. All numbers up to it were accepted. */
  const changes = new Map<string, number>()
  for (let i = 0; i < sources; i += 1) {
    const metadata = { input_url: 'https://live.example/index.m3u8' }
    const made = await call<{ live_source_id: string }>('POST', '/api/2.3/live_sources', {
      name: '0',
      type: 'HLS_PULL',
      metadata,
    })
    changes.set(made.live_source_id, 0)
  }
  return {
    changes: changes as ReadonlyMap<string, number>,
    addWebhook: (url: string) =>
      call<{ webhook_id: string; secret: string }>('POST', '/api/2.3/webhooks', {
        url,
        kinds: ['live_source.changed'],
      }),
    rotateSecret: async (webhookId: string) =>
      (await call<{ secret: string }>('POST', `/api/2.3/webhooks/${webhookId}/rotate_secret`)).secret,
    /** Returns the number of the change. */
    async change(sourceId: string): Promise<number> {
      const number = changes.get(sourceId)! + 1
      await call('PATCH', `/api/2.3/live_sources/${sourceId}`, { name: `${number}` })
      changes.set(sourceId, number)
      return number
    },
  }
}

/** Time from the response to a change until its event arrives. Changes are spread over a worker's polling interval. */
async function measureDelays(station: Station, endpoint: Endpoint, samples: number): Promise<number[]> {
  const sources = [...station.changes.keys()]
  const delays: number[] = []
  for (let i = 0; i < samples && sum(delays) < ENOUGH_MS; i += 1) {
    await sleep(37 * (i % 7))
    const sourceId = sources[i % sources.length]!
    const number = await station.change(sourceId)
    const doneMs = performance.now()
    const isIt = ({ body }: Arrival) => body.includes(sourceId) && body.includes(`"name":"${number}"`)
    const arrival = await pollUntil(() => endpoint.arrivals.findLast(isIt), PATIENCE_MS)
    if (arrival === undefined) break
    delays.push(Math.max(1, arrival.atMs - doneMs))
  }
  return delays
}

/** Changes sources of all stations round-robin until it is stopped. */
const keepChanging = (stations: readonly Station[], everyMs: number) =>
  keepDoing(async (turn) => {
    const station = stations[turn % stations.length]!
    const sources = [...station.changes.keys()]
    await station.change(sources[Math.floor(turn / stations.length) % sources.length]!)
    await sleep(everyMs)
  })

const OF_BAD = `account_id in (select account_id from accounts where name like 'bad-%')`

async function countAttempts(sql: Sql) {
  const [counted] = await sql.query<{ webhooks: number; attempts: number; delivered: number }>(
    `select count(distinct webhook_id) filter (where attempts > 0)::integer as webhooks,
            coalesce(sum(attempts), 0)::integer as attempts,
            count(*) filter (where state = 'DELIVERED')::integer as delivered
       from webhook_deliveries where ${OF_BAD}`,
  )
  return counted!
}

/** Waits until several of the bad endpoints have been tried, so that they take slots. */
async function untilTried(sql: Sql): Promise<void> {
  const isTried = async () => {
    const [row] = await sql.query<{ tried: number }>(
      `select count(*)::integer as tried from webhook_progress
        where ${OF_BAD} and (failures > 0 or lease is not null)`,
    )
    return row!.tried >= 12 || undefined
  }
  await pollUntil(isTried, PATIENCE_MS)
}

/** What has accumulated while workers were killed takes minutes: waits as long as anything still arrives. */
async function untilArrived({ arrivals }: Endpoint, changes: number): Promise<void> {
  const distinct = () => new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size
  for (let before = -1; distinct() < changes && distinct() > before; ) {
    before = distinct()
    await pollUntil(() => distinct() > before || undefined, PATIENCE_MS)
  }
}

/** Compares arrivals with changes. `changes` has the number of the last change by source. */
function checkArrivals(arrivals: readonly Arrival[], changes: ReadonlyMap<string, number>) {
  const newest = new Map<string, number>()
  const seen = new Map<string, { readonly id: string; readonly body: string }>()
  const eventOf = new Map<string, string>()
  const found = { invented: 0, outOfOrder: 0, repeats: 0, otherIds: 0, faults: [] as string[] }
  for (const { body, headers } of arrivals) {
    const { type, subject_id: sourceId, data } = JSON.parse(body) as EventBody
    const number = Number(data.name)
    const isKnown = type === 'live_source.changed' && data.live_source_id === sourceId
    if (!isKnown || !(number >= 1 && number <= (changes.get(sourceId) ?? 0))) {
      found.invented += 1
      found.faults.push(`no such change: ${body}`)
      continue
    }
    const before = newest.get(sourceId) ?? 0
    if (number !== before && number !== before + 1) {
      found.outOfOrder += 1
      found.faults.push(`${sourceId}: ${number} arrived after ${before}`)
    }
    newest.set(sourceId, Math.max(before, number))
    const event = `${sourceId}/${number}`
    const id = headers['webhook-id'] ?? ''
    const earlier = seen.get(event)
    if (earlier !== undefined) found.repeats += 1
    const isOther = earlier !== undefined && (earlier.id !== id || earlier.body !== body)
    if (isOther || (eventOf.get(id) ?? event) !== event) found.otherIds += 1
    seen.set(event, { id, body })
    eventOf.set(id, event)
  }
  return { ...found, lost: sum([...changes.values()]) - seen.size }
}

interface EventBody {
  readonly type: string
  readonly subject_id: string
  readonly data: { readonly live_source_id: string; readonly name: string }
}

function isSigned(secret: string, { body, headers }: Arrival): boolean {
  try {
    new Verifier(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
