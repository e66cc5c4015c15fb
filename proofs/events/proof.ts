import { setTimeout } from 'node:timers/promises'
import { seededRandom } from '@continuity/dev/seeded-random'
import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import type { Database } from '../../packages/server/src/platform/database/database.ts'
import { proof } from '../proof.ts'
import { startChanges } from './changes.ts'
import { type EventSystem, type Part, startEventSystem } from './event-system.ts'
import { type Delays, type ExpectedEvent, type Followers, startFollowers } from './followers.ts'

interface EventSize {
  readonly followers: number
  /** How long delays are measured. */
  readonly measuredMs: number
  /** Limit of the p99 delay; higher on a busy machine. */
  readonly withinMs: number
  readonly kills: number
  /** Clients that stop reading, and for how long. */
  readonly stalled: number
  readonly stalledMs: number
  /** Events of 4 KB that they miss meanwhile. */
  readonly burst: number
  /**
   * How much the API process may grow meanwhile. Most of it is read until the sockets are full; all missed events would
   * be 170 MiB at the small size, and 2 GiB at the full one.
   */
  readonly memoryMib: number
}

const CHANGES_PER_SECOND = 100
const PATIENCE_MS = 120_000
const PATH = '/api/2.3/events?kind=channel.changed'
const PARTS: readonly Part[] = ['api', 'worker', 'nats', 'postgres']

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
    const system = await startEventSystem(opened)
    const stalled = await tryStalled(system, size, log)

    const headers = await system.logIn('north')
    const { urls } = system
    const followers = opened.use(startFollowers({ count: size.followers, urls, paths: [PATH], headers }))
    const isOpen = await untilOpen(followers, size.followers)
    log(`${size.followers} streams ${isOpen ? 'are open' : 'did not open'}`)
    let answered = 0
    let failed = 0
    let delays: Delays = { count: 0, median: 0, p99: 0, worst: 0 }
    let changesPerSecond = 0
    {
      await using changes = await startChanges(urls, headers, CHANGES_PER_SECOND)
      await setTimeout(1_000)
      const before = changes.answered()
      followers.measure()
      await setTimeout(size.measuredMs)
      delays = await followers.delays()
      changesPerSecond = Math.round((changes.answered() - before) / (size.measuredMs / 1_000))
      log(`${changesPerSecond} changes a second, p99 ${delays.p99} ms`)
      await killParts(system, size, seed, log)
      await setTimeout(1_000)
      answered = changes.answered()
      failed = changes.failed()
    }
    const expected = await listExpected(system.database, 'north')
    const hasAll = await untilReceived(followers, expected.length)
    const compared = await followers.compare(expected)
    return {
      figures: {
        followers: size.followers,
        changes_per_second: changesPerSecond,
        delays_measured: delays.count,
        delay_p50_ms: delays.median,
        delay_p99_ms: delays.p99,
        delay_worst_ms: delays.worst,
        kills: size.kills,
        changes_answered: answered,
        changes_failed_by_kills: failed,
        events_committed: expected.length,
        events_received: compared.received,
        streams_opened: compared.connections,
        all_received_in_time: hasAll ? 1 : 0,
        events_missed: compared.missed,
        events_invented: compared.invented,
        events_out_of_order: compared.outOfOrder,
        ...stalled,
      },
      targets: {
        changes_per_second: { atLeast: size.kills === 40 ? 90 : 20 },
        delays_measured: { atLeast: (size.followers * size.measuredMs) / 100 },
        delay_p99_ms: { atMost: size.withinMs },
        events_committed: { atLeast: answered },
        // Each kill of an API process breaks half of the streams.
        streams_opened: { atLeast: size.followers + (size.followers / 2) * Math.floor(size.kills / 4) },
        all_received_in_time: { is: 1 },
        events_missed: { is: 0 },
        events_invented: { is: 0 },
        events_out_of_order: { is: 0 },
        stalled_clients: { is: size.stalled },
        burst_read_by_another_client: { is: 1 },
        // What the buffers of the connections hold arrives all the same.
        stalled_events_unread_at_least: { atLeast: size.burst / 2 },
        stalled_events_missed: { is: 0 },
        stalled_events: { is: size.stalled * size.burst },
        memory_of_stalled_mib: { atMost: size.memoryMib },
      },
    }
  },
})

async function untilOpen(followers: Followers, count: number): Promise<boolean> {
  const isSo = async () => ((await followers.progress()).open === count ? true : undefined)
  return (await pollUntil(isSo, PATIENCE_MS)) === true
}

async function untilReceived(followers: Followers, count: number): Promise<boolean> {
  const isSo = async () => ((await followers.progress()).fewest >= count ? true : undefined)
  return (await pollUntil(isSo, PATIENCE_MS)) === true
}

/** Kills one part after another at random times, each restarted after a while. */
async function killParts(
  system: EventSystem,
  { kills }: EventSize,
  seed: number,
  log: (line: string) => void,
): Promise<void> {
  const random = seededRandom(seed)
  for (let kill = 0; kill < kills; kill += 1) {
    const part = PARTS[kill % PARTS.length]!
    const turn = Math.floor(kill / PARTS.length)
    await setTimeout(500 + random() * 1_000)
    await system.kill(part, turn)
    await setTimeout(random() * 1_500)
    await system.startAgain(part, turn)
    log(`kill ${kill + 1}: ${part}`)
  }
}

/** Clients of a separate account that stop reading during a burst. Each has its own filter, and so its own texts. */
async function tryStalled(
  system: EventSystem,
  { stalled, stalledMs, burst }: EventSize,
  log: (line: string) => void,
): Promise<Readonly<Record<string, number>>> {
  const headers = await system.logIn('south')
  const paths = Array.from({ length: stalled }, (_, index) => `${PATH},${others(index)}`)
  await using followers = startFollowers({ count: stalled, urls: [system.urls[0]], paths, headers })
  // Only when it has read the burst, the others can have stalled on it.
  await using reading = startFollowers({ count: 1, urls: [system.urls[0]], paths: [PATH], headers })
  const isOpen = (await untilOpen(followers, stalled)) && (await untilOpen(reading, 1))
  followers.pause()
  const before = await system.apiMemory()
  let worst = 0
  await addBurst(system.database, 'south', burst)
  const isRead = await untilReceived(reading, burst)
  const endMs = performance.now() + stalledMs
  while (performance.now() < endMs) {
    worst = Math.max(worst, (await system.apiMemory()) - before)
    await setTimeout(200)
  }
  const { most } = await followers.progress()
  followers.resume()
  const hasAll = await untilReceived(followers, burst)
  const { missed, received } = await followers.compare(await listExpected(system.database, 'south'))
  log(`${stalled} stalled clients: ${worst} MiB more, ${missed} events missed`)
  return {
    stalled_clients: isOpen ? stalled : 0,
    burst_read_by_another_client: isRead ? 1 : 0,
    stalled_events_unread_at_least: burst - most,
    stalled_events: hasAll ? received : 0,
    stalled_events_missed: missed,
    memory_of_stalled_mib: worst,
  }
}

/** Kinds that do not occur, in a different combination for each client. */
const others = (index: number): string =>
  ['alert.opened', 'alert.changed', 'alert.closed', 'user.created', 'user.changed', 'user.deleted']
    .filter((_, bit) => ((index + 1) >> bit) & 1)
    .join()

/** Written as a module does it, but many in one statement. */
async function addBurst(database: Database, account: string, count: number): Promise<void> {
  await sql`
    insert into events (account_id, event_id, at_ms, kind, subject_type, subject_id, data)
    select account_id, gen_random_uuid(), ${Date.now()}, 'channel.changed', 'linear_channel', 'burst',
           jsonb_build_object('title', repeat('x', 4000))
      from accounts, generate_series(1, ${count}::integer) where name = ${account}`.execute(database.platform)
}

/** The numbers of one channel's events follow its changes: each is assigned while the row of the channel is locked. */
async function listExpected(database: Database, account: string): Promise<readonly ExpectedEvent[]> {
  const { rows } = await sql<ExpectedEvent>`
    select event_id as id, subject_id as subject,
           (row_number() over (partition by subject_id order by number))::integer as rank
      from events join accounts using (account_id)
     where name = ${account} and kind = 'channel.changed'`.execute(database.platform)
  return rows
}
