import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { keepDoing } from '@continuity/dev/keep-doing'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { measured } from '@continuity/dev/measured'
import { seededRandom } from '@continuity/dev/seeded-random'
import type { Sql } from '@continuity/dev/sql'
import { pollUntil } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { type ExpectedEvent, type Followers, startFollowers } from './shared/followers.ts'
import { callApi, openSession } from './shared/ingest-system.ts'
import { killAtOnce } from './shared/on-air-system.ts'
import { type Running, startSite } from './shared/site.ts'

interface EventSize {
  readonly followers: number
  readonly changesPerSecond: number
  /** How long delays are measured, and the limit of their p99. */
  readonly measuredMs: number
  readonly withinMs: number
  readonly kills: number
  /** Clients that stop reading, for how long, and the events of 4 KB that they miss meanwhile. */
  readonly stalled: number
  readonly stalledMs: number
  readonly burst: number
  /**
   * How much the API process may grow meanwhile. Most of it is read until the sockets are full; all missed events would
   * be 170 MiB at the small size, and 2 GiB at the full one.
   */
  readonly memoryMib: number
}

type Headers = Readonly<Record<string, string>>

const CHANNELS = 20
const CHANGES_PER_SECOND = 100
const PATIENCE_MS = 120_000
const PATH = '/api/2.3/events?kind=channel.changed'

export const events = proof<EventSize>({
  name: 'events',
  title: 'Followers of events while processes are killed',
  promise:
    'Two API processes, and streams of events on both. While a hundred channels a second change, every event reaches every ' +
    'follower within a second at p99. Clients that read nothing for a minute cost little memory, and then find everything by ' +
    'their cursor. API, worker, NATS and PostgreSQL are killed (SIGKILL) one after another while channels change: every follower ' +
    'receives each event that was committed, those of a channel in the order of its changes, and none that was not committed. ' +
    'What was committed, and in what order, is read from the rows.',
  sizes: {
    small: {
      followers: 50,
      changesPerSecond: 20,
      measuredMs: 3_000,
      withinMs: 5_000,
      kills: 4,
      stalled: 8,
      stalledMs: 3_000,
      burst: 5_000,
      memoryMib: 150,
    },
    full: {
      followers: 1_000,
      changesPerSecond: 90,
      measuredMs: 60_000,
      withinMs: 1_000,
      kills: 40,
      stalled: 50,
      stalledMs: 75_000,
      burst: 10_000,
      memoryMib: 500,
    },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const site = await startSite(opened)
    const [north] = await site.addAccount('north')
    const [south] = await site.addAccount('south')
    const ports = (await findLastingPorts()).slice(0, 2)
    // A busy machine is slow; the API must not reject requests because of that.
    const settings = { MAX_EVENT_LOOP_DELAY_MS: '10000' }
    const startAnApi = (at: number) => site.startApi({ name: `api-${at}`, port: ports[at]!, settings })
    const startAWorker = () => site.startWorker({ name: 'worker' })
    const apis = [await startAnApi(0), await startAnApi(1)]
    const urls = apis.map(({ url }) => url)
    let worker = await startAWorker()

    const stalled = await tryStalled(site.sql, apis[0]!, (await openSession(urls[0]!, south)).headers, size)
    log(`stalled: ${JSON.stringify(stalled)}`)

    const { headers } = await openSession(urls[0]!, north)
    const followers = opened.use(startFollowers({ count: size.followers, urls, paths: [PATH], headers }))
    const isOpen = await untilOpen(followers, size.followers)
    log(`${size.followers} streams ${isOpen ? 'are open' : 'did not open'}`)
    const changes = await startChanges(urls, headers)
    opened.defer(async () => void (await changes.stop()))
    await sleep(1_000)
    const before = changes.answered()
    await followers.measure()
    await sleep(size.measuredMs)
    const delays = await followers.delays()
    const changesPerSecond = Math.round((changes.answered() - before) / (size.measuredMs / 1_000))
    log(`${changesPerSecond} changes a second, p99 ${delays.p99} ms`)

    const parts = [
      {
        name: 'api',
        kill: (turn: number) => killAtOnce(apis[turn % 2]!.child),
        async start(turn: number) {
          apis[turn % 2] = await startAnApi(turn % 2)
        },
      },
      {
        name: 'worker',
        kill: () => killAtOnce(worker.child),
        async start() {
          worker = await startAWorker()
        },
      },
      { name: 'nats', kill: site.nats.servers[0]!.kill, start: site.nats.servers[0]!.start },
      {
        name: 'postgres',
        kill: () => killAtOnce(site.postgres().child),
        start: () => site.startPostgresAgain(),
      },
    ]
    const random = seededRandom(seed)
    for (let kill = 0; kill < size.kills; kill += 1) {
      const part = parts[kill % parts.length]!
      const turn = Math.floor(kill / parts.length)
      await sleep(500 + random() * 1_000)
      await part.kill(turn)
      await sleep(random() * 1_500)
      await part.start(turn)
      log(`kill ${kill + 1}: ${part.name}`)
    }
    await sleep(1_000)
    await changes.stop()

    const expected = await listExpected(site.sql, 'north')
    const hasAll = await untilReceived(followers, expected.length)
    const compared = await followers.compare(expected)
    // Each kill of an API process breaks half of the streams.
    const streams = size.followers + (size.followers / 2) * Math.floor(size.kills / 4)
    return measured({
      changes_per_second: [changesPerSecond, { atLeast: size.changesPerSecond }],
      delays_measured: [delays.count, { atLeast: (size.followers * size.measuredMs) / 100 }],
      delay_p99_ms: [delays.p99, { atMost: size.withinMs }],
      events_committed: [expected.length, { atLeast: changes.answered() }],
      streams_opened: [compared.connections, { atLeast: streams }],
      all_received_in_time: [hasAll ? 1 : 0, { is: 1 }],
      events_missed: [compared.missed, { is: 0 }],
      events_invented: [compared.invented, { is: 0 }],
      events_out_of_order: [compared.outOfOrder, { is: 0 }],
      stalled_clients: [stalled.clients, { is: size.stalled }],
      burst_read_by_another_client: [stalled.isReadByAnother ? 1 : 0, { is: 1 }],
      // What the buffers of the connections hold arrives all the same.
      stalled_events_unread_at_least: [stalled.unread, { atLeast: size.burst / 2 }],
      stalled_events: [stalled.received, { is: size.stalled * size.burst }],
      stalled_events_missed: [stalled.missed, { is: 0 }],
      memory_of_stalled_mib: [stalled.memoryMib, { atMost: size.memoryMib }],
    })
  },
})

const untilOpen = async (followers: Followers, count: number): Promise<boolean> =>
  (await pollUntil(async () => (await followers.progress()).open === count || undefined, PATIENCE_MS)) ===
  true

const untilReceived = async (followers: Followers, count: number): Promise<boolean> =>
  (await pollUntil(async () => (await followers.progress()).fewest >= count || undefined, PATIENCE_MS)) ===
  true

/** Creates channels, and then changes their titles round-robin, at either process in turn. */
async function startChanges(urls: readonly string[], headers: Headers) {
  const ids: string[] = []
  for (let at = 0; at < CHANNELS; at += 1) {
    const draft = { title: `Channel ${at}` }
    const made = await callApi<{ linear_channel_id: string }>(
      urls[0]!,
      headers,
      'POST',
      '/api/2.3/linear_channels',
      draft,
    )
    ids.push(made.linear_channel_id)
  }
  let answered = 0
  const everyMs = (1_000 * CHANNELS) / CHANGES_PER_SECOND
  const changing = ids.map((id, at) =>
    keepDoing(async (turn) => {
      if (turn === 0) await sleep((everyMs * at) / CHANNELS)
      const dueMs = performance.now() + everyMs
      const status = await fetch(`${urls[turn % 2]}/api/2.3/linear_channels/${id}`, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify({ title: `Turn ${turn}` }),
        signal: AbortSignal.timeout(10_000),
      })
        .then((answer) => answer.arrayBuffer().then(() => answer.status))
        .catch(() => 0) // its process is being killed
      if (status === 200) answered += 1
      await sleep(Math.max(0, dueMs - performance.now()))
    }),
  )
  return {
    answered: () => answered,
    stop: () => Promise.all(changing.map((it) => it.stop())),
  }
}

/** Clients of a separate account that stop reading during a burst. Each has its own filter, and so its own texts. */
async function tryStalled(
  sql: Sql,
  api: Running,
  headers: Headers,
  { stalled, stalledMs, burst }: EventSize,
) {
  const paths = Array.from({ length: stalled }, (_, index) => `${PATH},${others(index)}`)
  await using followers = startFollowers({ count: stalled, urls: [api.url], paths, headers })
  // Only when it has read the burst, the others can have stalled on it.
  await using reading = startFollowers({ count: 1, urls: [api.url], paths: [PATH], headers })
  const isOpen = (await untilOpen(followers, stalled)) && (await untilOpen(reading, 1))
  await followers.pause()
  const before = await residentMib(api)
  // Written as a module does it, but many in one statement.
  await sql.query(
    `insert into events (account_id, event_id, at_ms, kind, subject_type, subject_id, data)
     select account_id, gen_random_uuid(), $1, 'channel.changed', 'linear_channel', 'burst',
            jsonb_build_object('title', repeat('x', 4000))
       from accounts, generate_series(1, $2) where name = 'south'`,
    [Date.now(), burst],
  )
  const isRead = await untilReceived(reading, burst)
  let worst = 0
  for (const endMs = performance.now() + stalledMs; performance.now() < endMs; await sleep(200))
    worst = Math.max(worst, (await residentMib(api)) - before)
  const { most } = await followers.progress()
  await followers.resume()
  const hasAll = await untilReceived(followers, burst)
  const { missed, received } = await followers.compare(await listExpected(sql, 'south'))
  return {
    clients: isOpen ? stalled : 0,
    isReadByAnother: isRead,
    unread: burst - most,
    received: hasAll ? received : 0,
    missed,
    memoryMib: worst,
  }
}

/** Kinds that do not occur, in a different combination for each client. */
const others = (index: number): string =>
  ['alert.opened', 'alert.changed', 'alert.closed', 'user.created', 'user.changed', 'user.deleted']
    .filter((_, bit) => ((index + 1) >> bit) & 1)
    .join()

async function residentMib({ child }: Running): Promise<number> {
  const status = await readFile(`/proc/${child.pid}/status`, 'utf8')
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1_024)
}

/** The numbers of one channel's events follow its changes: each is assigned while the row of the channel is locked. */
const listExpected = (sql: Sql, account: string): Promise<ExpectedEvent[]> =>
  sql.query<ExpectedEvent>(
    `select event_id as id, subject_id as subject,
            (row_number() over (partition by subject_id order by number))::integer as rank
       from events join accounts using (account_id)
      where name = $1 and kind = 'channel.changed'`,
    [account],
  )
