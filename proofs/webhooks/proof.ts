import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { median, round } from '@continuity/dev/figures'
import { seededRandom } from '@continuity/dev/seeded-random'
import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import { type IngestSystem, startIngestSystem } from '../ingest/ingest-system.ts'
import { proof } from '../proof.ts'
import { openBadStations, startBadEndpoints } from './bad-endpoints.ts'
import { checkArrivals, isSigned } from './check-arrivals.ts'
import { type Arrival, type Endpoint, startEndpoint } from './endpoints.ts'
import { openStation, type Station } from './station.ts'

interface WebhooksSize {
  /** Changes whose delay is measured, with and without bad endpoints. */
  readonly samples: number
  readonly badAccounts: number
  readonly badWebhooks: number
  readonly kills: number
  /** Sources of the account whose workers are killed, one of which is changed so often. */
  readonly sources: number
  readonly changeEveryMs: number
}

/** More than the slots of a worker of either kind, so that bad endpoints could fill them all. */
const BAD = { badAccounts: 9, badWebhooks: 8 }

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
    small: { samples: 7, ...BAD, kills: 1, sources: 4, changeEveryMs: 300 },
    full: { samples: 300, ...BAD, kills: 20, sources: 12, changeEveryMs: 60 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const random = seededRandom(seed)
    const bad = await startBadEndpoints(opened)
    const good = opened.use(await startEndpoint((_, response) => response.end('ok')))
    const secrets = { first: '', rotated: '' } // set when they are created
    const signed = { first: 0, both: 0, foreign: 0 }
    const faulty = opened.use(
      await startFaultyEndpoint(random, (arrival) => {
        const isFirst = isSigned(secrets.first, arrival)
        signed.first += isFirst ? 1 : 0
        signed.both += isFirst && isSigned(secrets.rotated, arrival) ? 1 : 0
        signed.foreign += isSigned(OTHER_SECRET, arrival) ? 1 : 0
      }),
    )
    const allow = [...bad.all, good, faulty].map(({ host }) => host)
    const settings = { SECRET_KEYS_FILE: await makeKeys(opened) }
    const system = await startIngestSystem(opened, { allow, settings })
    let worker = await system.startWorker('worker')

    log('started')
    const quiet = await openStation(system, 'quiet', 4)
    await quiet.addWebhook(good.url)
    await measureDelays(quiet, good, 5)
    const without = await measureDelays(quiet, good, size.samples)
    const { badAccounts: accounts, badWebhooks } = size
    const stations = await openBadStations(system, bad, { accounts, webhooks: badWebhooks })
    log('bad endpoints are registered')
    const loading = keepChanging(stations, 200)
    await untilTried(system, accounts * badWebhooks)
    const withBad = await measureDelays(quiet, good, size.samples)
    await loading.stop()
    log(
      `median ${round(median(without), 0)} ms without bad endpoints, ${round(median(withBad), 0)} ms with them`,
    )

    const busy = await openStation(system, 'busy', size.sources)
    const { webhook_id: webhookId, secret } = await busy.addWebhook(faulty.url)
    Object.assign(secrets, { first: secret, rotated: OTHER_SECRET })
    const changing = keepChanging([busy], size.changeEveryMs)
    let [killed, struck] = [0, 0]
    while (killed < size.kills) {
      if (!(await pollUntil(() => faulty.inFlight() > 0 || undefined, PATIENCE_MS))) break
      await sleep((random() * HOLD_MS) / 2)
      struck += faulty.inFlight() > 0 ? 1 : 0
      process.kill(worker.pid, 'SIGKILL')
      await worker.exited
      killed += 1
      if (killed === 1) secrets.rotated = await busy.rotateSecret(webhookId)
      worker = await system.startWorker('worker')
      const before = faulty.arrivals.length
      await pollUntil(() => faulty.arrivals.length > before || undefined, PATIENCE_MS)
      if (killed % 5 === 0) log(`${killed} kills, ${faulty.arrivals.length} arrivals`)
    }
    await changing.stop()
    log(`${killed} workers killed`)
    const happened = sum([...busy.changes.values()])
    await untilArrived(faulty, happened)
    log(`${countDistinct(faulty)} of ${happened} changes have arrived`)
    await worker.stop()

    const checked = checkArrivals(faulty.arrivals, busy.changes)
    for (const fault of checked.faults.slice(0, 10)) log(fault)
    const attempted = await countAttempts(system)
    return {
      figures: {
        changes: happened,
        arrivals: faulty.arrivals.length,
        events_lost: checked.lost,
        events_invented: checked.invented,
        out_of_order: checked.outOfOrder,
        repeats: checked.repeats,
        repeats_under_another_id: checked.otherIds,
        signatures_not_verified: faulty.arrivals.length - signed.first,
        verified_by_both_secrets: signed.both,
        verified_by_a_foreign_secret: signed.foreign,
        workers_killed: killed,
        kills_while_requests_were_under_way: struck,
        bad_webhooks_tried: attempted.webhooks,
        bad_attempts: attempted.attempts,
        bad_deliveries_that_succeeded: attempted.delivered,
        requests_to_the_inner_address: bad.inner.arrivals.length,
        measured_deliveries: without.length + withBad.length,
        delay_median_ms: round(median(without), 0),
        delay_median_with_bad_ms: round(median(withBad), 0),
        delay_ratio_median: round(median(withBad) / median(without), 2),
        delay_ratio_p90: round(percentile(withBad, 0.9) / percentile(without, 0.9), 2),
      },
      targets: {
        changes: { atLeast: size.kills * 20 },
        events_lost: { is: 0 },
        events_invented: { is: 0 },
        out_of_order: { is: 0 },
        repeats: { atLeast: 1 },
        repeats_under_another_id: { is: 0 },
        signatures_not_verified: { is: 0 },
        verified_by_both_secrets: { atLeast: 10 },
        verified_by_a_foreign_secret: { is: 0 },
        workers_killed: { is: size.kills },
        kills_while_requests_were_under_way: { atLeast: Math.ceil(size.kills / 3) },
        // At least as many as there are slots.
        bad_webhooks_tried: { atLeast: 32 },
        bad_attempts: { atLeast: size.badAccounts * size.badWebhooks },
        bad_deliveries_that_succeeded: { is: 0 },
        requests_to_the_inner_address: { is: 0 },
        measured_deliveries: { is: 2 * size.samples },
        delay_ratio_median: { atMost: 4 },
        delay_ratio_p90: { atMost: 6 },
      },
    }
  },
})

/** Timeout for leases and retries, on a busy machine. */
const PATIENCE_MS = 180_000

/** Used by no webhook: it must verify nothing. */
const OTHER_SECRET = `whsec_${Buffer.alloc(32).toString('base64')}`

const HOLD_MS = 150

/** Share of first attempts that fail; each delays its source by five seconds. */
const FAULTS = 1 / 80

/** Fails some requests; others it accepts and drops the response. */
function startFaultyEndpoint(random: () => number, onArrival: (arrival: Arrival) => void): Promise<Endpoint> {
  return startEndpoint((arrival, response, earlier) => {
    onArrival(arrival)
    const chance = random()
    if (earlier === 0 && chance < FAULTS) response.writeHead(500).end()
    else if (earlier === 0 && chance < 2 * FAULTS) response.destroy()
    // Long enough for a kill during the request.
    else setTimeout(() => response.end('ok'), HOLD_MS)
  })
}

async function makeKeys(opened: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-keys-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  const path = join(folder, 'secret-keys')
  await writeFile(path, `${randomBytes(32).toString('base64')}\n`, { mode: 0o600 })
  return path
}

/** The measurement stops after so much delay in all. */
const ENOUGH_MS = 200_000

/** Time from the response to a change until its event arrives. Changes are spread over a worker's polling interval. */
async function measureDelays(station: Station, endpoint: Endpoint, samples: number): Promise<number[]> {
  const sources = [...station.changes.keys()]
  const delays: number[] = []
  for (let i = 0; i < samples; i += 1) {
    await sleep(37 * (i % 7))
    const sourceId = sources[i % sources.length]!
    const number = await station.change(sourceId)
    const doneMs = performance.now()
    const isIt = ({ body }: { readonly body: string }) =>
      body.includes(sourceId) && body.includes(`"name":"${number}"`)
    const arrival = await pollUntil(() => endpoint.arrivals.findLast(isIt), PATIENCE_MS)
    if (arrival === undefined) return delays
    delays.push(Math.max(1, arrival.atMs - doneMs))
    if (sum(delays) > ENOUGH_MS) return delays
  }
  return delays
}

/** Changes sources of all stations round-robin until it is stopped. */
function keepChanging(stations: readonly Station[], everyMs: number): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const run = async () => {
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const station = stations[turn % stations.length]!
      const sources = [...station.changes.keys()]
      await station.change(sources[Math.floor(turn / stations.length) % sources.length]!)
      await sleep(everyMs)
    }
  }
  const ran = run()
  return {
    async stop() {
      stopping.abort()
      await ran
    },
  }
}

const BAD_ROWS = `account_id in (select account_id from accounts where name like 'bad-%')`

/** Waits until all bad endpoints have been tried. */
async function untilTried(system: IngestSystem, webhookCount: number): Promise<void> {
  const isTried = async () => {
    const leased = await query<{ webhooks: number }>(
      system,
      `select count(*)::integer as webhooks from webhook_progress where ${BAD_ROWS} and (failures > 0 or lease is not null)`,
    )
    return leased.webhooks >= Math.min(webhookCount, 12) || undefined
  }
  await pollUntil(isTried, PATIENCE_MS)
}

const countAttempts = (system: IngestSystem) =>
  query<{ webhooks: number; attempts: number; delivered: number }>(
    system,
    `select count(distinct webhook_id) filter (where attempts > 0)::integer as webhooks,
            coalesce(sum(attempts), 0)::integer as attempts,
            count(*) filter (where state = 'DELIVERED')::integer as delivered
       from webhook_deliveries where ${BAD_ROWS}`,
  )

async function query<T>(system: IngestSystem, text: string): Promise<T> {
  const { rows } = await sql<T>`${sql.raw(text)}`.execute(system.database.platform)
  return rows[0]!
}

/** What has accumulated while workers were killed takes minutes: waits as long as anything still arrives. */
async function untilArrived(endpoint: Endpoint, changes: number): Promise<void> {
  for (let before = -1; countDistinct(endpoint) < changes && countDistinct(endpoint) > before; ) {
    before = countDistinct(endpoint)
    await pollUntil(() => countDistinct(endpoint) > before || undefined, PATIENCE_MS)
  }
}

const countDistinct = ({ arrivals }: Endpoint): number =>
  new Set(arrivals.map(({ headers }) => headers['webhook-id'])).size

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const percentile = (numbers: readonly number[], share: number): number =>
  numbers.toSorted((a, b) => a - b)[Math.min(numbers.length - 1, Math.floor(numbers.length * share))]!
