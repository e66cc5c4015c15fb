import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { aLink, type Link } from '@continuity/dev/a-link'
import { median, round } from '@continuity/dev/figures'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { measured } from '@continuity/dev/measured'
import { seededRandom } from '@continuity/dev/seeded-random'
import { pollUntil, settlesWithin } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { openSession } from './shared/ingest-system.ts'
import { type Login, type Running, type Site, startSite } from './shared/site.ts'

/** Connections of the process: fewer than requests in flight, so that they are shared. */
const CONNECTIONS = 10
/** The deadline of a process as we ship it. */
const DEADLINE_MS = 10_000
const RECOVERY_MS = 2_000
/** Longer than anything takes on a busy machine. */
const PATIENCE_MS = 60_000
const WORDS = ['northern', 'southern'] as const

interface FaultsSize {
  readonly perSecond: number
  /** How long the load lasts before the fault, and after the database is back. */
  readonly beforeMs: number
  readonly afterMs: number
  readonly restartMs: number
  readonly outageMs: number
  /** Whether a busy machine may take longer: by fifty answers, as they were before the fault. */
  readonly isBusy: boolean
}

export const databaseFaults = proof<FaultsSize>({
  name: 'database-faults',
  title: 'Outages of the database',
  promise:
    'An API process under a steady load of two accounts, reads and writes alike. PostgreSQL is restarted, crashes, ' +
    'is stopped, closes its port, or is cut off silently for 5 s or longer. While it is unavailable every ' +
    'request is answered with 503 and Retry-After before its deadline of 10 s: nothing hangs and nothing is a 500. ' +
    'Within 2 s of its return requests are answered again, and none that is sent then gets a 503. No answer is ever ' +
    'of the other account. What was answered with success is stored; what was not is carried out once when it is sent again with ' +
    'its Idempotency-Key. No connection is left in a transaction or beyond the limit. /livez answers all the while, ' +
    '/readyz returns 503 and later 200. A process that gets SIGTERM while its database is silent ends in good order.',
  sizes: {
    small: {
      perSecond: 24,
      beforeMs: 2_000,
      afterMs: 4_000,
      restartMs: 1_000,
      // Longer than a wait for a connection; a running query is aborted after six seconds.
      outageMs: 6_500,
      isBusy: true,
    },
    full: {
      perSecond: 100,
      beforeMs: 5_000,
      afterMs: 10_000,
      restartMs: 5_000,
      outageMs: 30_000,
      isBusy: false,
    },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const site = await startSite(opened)
    const logins = [(await site.addAccount(WORDS[0]))[0], (await site.addAccount(WORDS[1]))[0]]
    const [linkPort] = await findLastingPorts()
    const closing = opened.use(await aLink(site.postgres().url, linkPort))
    const silent = opened.use(await aLink(site.postgres().url))
    const { restartMs, outageMs } = size
    const faults: readonly Fault[] = [
      // As for a minor update.
      { name: 'restarted', lastsMs: restartMs, ...restartBy(site, 'SIGINT') },
      // It exits at once, and has WAL to replay.
      { name: 'crashed', lastsMs: restartMs, ...restartBy(site, 'SIGQUIT') },
      { name: 'paused', lastsMs: outageMs, ...pauseOf(site) },
      { name: 'port_closed', lastsMs: outageMs, ...outageOf(closing, () => closing.goDown()) },
      { name: 'silent', lastsMs: outageMs, ...outageOf(silent, async () => silent.silence()) },
    ]
    const random = seededRandom(seed)
    const tables: Table[] = []
    for (const fault of faults) {
      const table = await tryFault(site, logins, fault, size, random, log)
      tables.push(
        Object.fromEntries(Object.entries(table).map(([name, entry]) => [`${fault.name}_${name}`, entry])),
      )
      log(`${fault.name}: done`)
    }
    return measured({
      ...(Object.assign({}, ...tables) as Table),
      processes_stopped_while_silent: [await stopWhileSilent(site, logins[0]!, silent), { is: 2 }],
    })
  },
})

type Table = Parameters<typeof measured>[0]

const startAnApi = (site: Site, name: string, databaseUrl: string) =>
  site.startApi({
    name,
    databaseUrl,
    settings: { DATABASE_CONNECTIONS: `${CONNECTIONS}`, DATABASE_PATIENCE: '1' },
  })

interface Fault {
  readonly name: string
  readonly lastsMs: number
  /** The address of the database for the process. */
  readonly databaseUrl: string
  begin(): Promise<void>
  end(): Promise<void>
}

type Breaking = Pick<Fault, 'databaseUrl' | 'begin' | 'end'>

const restartBy = (site: Site, signal: NodeJS.Signals): Breaking => ({
  databaseUrl: site.postgres().url,
  async begin() {
    const { child } = site.postgres()
    process.kill(child.pid, signal)
    await child.exited
  },
  end: () => site.startPostgresAgain(),
})

/** The server and all its processes are stopped, as on an overloaded machine. */
function pauseOf(site: Site): Breaking {
  let stopped: number[] = []
  return {
    databaseUrl: site.postgres().url,
    async begin() {
      const { pid } = site.postgres().child
      // First the postmaster, so that there are no new backends.
      process.kill(pid, 'SIGSTOP')
      const backends = execFileSync('pgrep', ['-P', `${pid}`], { encoding: 'utf8' })
      stopped = [pid, ...backends.trim().split('\n').map(Number)]
      for (const each of stopped) process.kill(each, 'SIGSTOP')
    },
    async end() {
      for (const each of stopped.toReversed()) process.kill(each, 'SIGCONT')
    },
  }
}

const outageOf = (link: Link, begin: () => Promise<void>): Breaking => ({
  databaseUrl: link.url,
  begin,
  end: () => link.restore(),
})

/** Puts a process under load, causes the fault, and judges every answer. */
async function tryFault(
  site: Site,
  logins: readonly Login[],
  fault: Fault,
  size: FaultsSize,
  random: () => number,
  log: (line: string) => void,
): Promise<Table> {
  const { perSecond, beforeMs, afterMs } = size
  /** A quarter of what is sent in that time. */
  const quarterOf = (lengthMs: number) => Math.floor((perSecond * lengthMs) / 4_000)
  const api = await startAnApi(site, fault.name, fault.databaseUrl)
  const accounts = await Promise.all(
    logins.map(async (login): Promise<Account> => {
      const { headers } = await openSession(api.url, login)
      return { word: login.account_name, headers, channels: [] }
    }),
  )
  const outcomes: Outcome[] = []
  const live: Outcome[] = []
  const ready: Outcome[] = []
  const load = repeat(perSecond, async (number) => {
    const [account, other] = number % 2 === 0 ? accounts : accounts.toReversed()
    const isRead = number % 4 < 2
    const request = isRead
      ? aRead(account!, other!, random)
      : aWrite(account!, `${account!.word}-${fault.name.replace('_', '-')}-${number}`, random)
    const outcome = await send(api, request)
    outcomes.push(outcome)
    if (isDone(outcome) && request.row?.table === 'linear_channels')
      account!.channels.push((JSON.parse(outcome.text) as { linear_channel_id: string }).linear_channel_id)
  })
  const probing = repeat(10, async () => {
    const probe = async (path: string, into: Outcome[]) => into.push(await send(api, { path, expected: 200 }))
    await Promise.all([probe('/livez', live), probe('/readyz', ready)])
  })
  let [beginMs, goneMs, endMs, backMs] = [0, 0, 0, 0]
  try {
    await sleep(beforeMs)
    // A busy machine takes longer until the load is steady.
    await pollUntil(() => outcomes.filter(isDone).length > quarterOf(beforeMs) || undefined, PATIENCE_MS)
    beginMs = performance.now()
    await fault.begin()
    goneMs = performance.now()
    await sleep(fault.lastsMs)
    const countDuring = () => outcomes.filter(({ sentMs }) => sentMs > goneMs).length
    await pollUntil(() => countDuring() > quarterOf(fault.lastsMs) || undefined, PATIENCE_MS)
    endMs = performance.now()
    await fault.end()
    backMs = performance.now()
    await sleep(afterMs)
  } finally {
    // Even when the fault fails: a load would keep this process alive.
    await load.stop()
    await probing.stop()
  }

  const done = outcomes.filter(isDone)
  const before = done.filter(({ endedMs }) => endedMs < beginMs)
  const spareMs = size.isBusy ? 50 * median(before.map(tookMs)) : 0
  const back = done.filter(({ endedMs }) => endedMs > backMs)
  const putOff = outcomes.filter(isPutOff)
  const late = putOff.filter(({ sentMs }) => sentMs > backMs)
  const isDuring = ({ sentMs, endedMs }: Outcome) => sentMs > goneMs && endedMs < endMs
  const wrong = outcomes.filter((outcome) => {
    const isExcused = outcome.endedMs > beginMs && outcome.sentMs < backMs + RECOVERY_MS + spareMs
    return !isDone(outcome) && !(isPutOff(outcome) && isExcused)
  })
  for (const { request, status, text, sentMs, endedMs } of wrong.slice(0, 5))
    log(
      `${request.path}: ${status} ${text.slice(0, 200)}, ${ms(sentMs - beginMs)} to ${ms(endedMs - beginMs)} ms`,
    )
  const unready = ready.filter(({ status, endedMs }) => status === 503 && endedMs > beginMs)
  const readyAgain = ready.filter(({ status, sentMs }) => status === 200 && sentMs > backMs)
  const connections = await countConnections(site, api)
  const written = await checkWrites(site, api, outcomes)
  await api.child.stop()

  const within = (limitMs: number) => ({ atMost: ms(limitMs + spareMs) })
  return {
    done_before: [before.length, { atLeast: quarterOf(beforeMs) }],
    answered_503_while_gone: [putOff.filter(isDuring).length, { atLeast: quarterOf(fault.lastsMs) }],
    done_while_gone: [done.filter(isDuring).length, { is: 0 }],
    done_after: [back.length, { atLeast: quarterOf(afterMs) }],
    wrong_answers: [wrong.length, { is: 0 }],
    answers_of_another_account: [outcomes.filter((outcome) => !isOwn(outcome)).length, { is: 0 }],
    slowest_answer_ms: [ms(Math.max(...outcomes.map(tookMs))), within(DEADLINE_MS + 500)],
    first_right_answer_after_ms: [ms(firstOf(back) - backMs), within(RECOVERY_MS)],
    last_503_to_a_later_request_after_ms: [
      ms(Math.max(0, ...late.map(({ endedMs }) => endedMs - backMs))),
      within(RECOVERY_MS),
    ],
    livez_requests: [live.length, { atLeast: 5 }],
    livez_not_200: [live.filter((outcome) => !isDone(outcome)).length, { is: 0 }],
    readyz_503_after_ms: [ms(firstOf(unready) - beginMs), within(DEADLINE_MS)],
    readyz_200_after_ms: [ms(firstOf(readyAgain) - backMs), within(DEADLINE_MS)],
    connections_in_transaction: [connections.inTransaction, { is: 0 }],
    connections: [connections.all, { atMost: CONNECTIONS }],
    connections_unknown_to_the_process: [connections.unknown, { is: 0 }],
    writes_acknowledged: [written.acknowledged, { atLeast: quarterOf(beforeMs + afterMs) / 2 }],
    writes_lost: [written.lost, { is: 0 }],
    writes_repeated: [written.repeated, { atLeast: 1 }],
    writes_not_done_when_repeated: [written.notDone, { is: 0 }],
    writes_done_twice: [written.twice, { is: 0 }],
  }
}

const ms = (value: number): number => round(value, 0)

const firstOf = (outcomes: readonly Outcome[]): number => Math.min(...outcomes.map(({ endedMs }) => endedMs))

/** Works at a fixed rate, whether or not earlier work has ended. */
function repeat(perSecond: number, work: (number: number) => Promise<unknown>) {
  const underWay: Promise<unknown>[] = []
  const startMs = performance.now()
  const state = { isStopped: false } // set by stop
  const run = async () => {
    for (let number = 0; !state.isStopped; number += 1) {
      await sleep(Math.max(0, startMs + (number * 1_000) / perSecond - performance.now()))
      underWay.push(work(number))
    }
    await Promise.all(underWay)
  }
  const running = run()
  return {
    async stop() {
      state.isStopped = true
      await running
    },
  }
}

interface Account {
  readonly word: string
  readonly headers: Readonly<Record<string, string>>
  /** That it has created so far. */
  readonly channels: string[]
}

interface Request {
  readonly path: string
  readonly expected: number
  /** None for a probe. */
  readonly account?: Account
  readonly body?: object
  /** The row that a write creates. */
  readonly row?: { readonly table: string; readonly text: string }
  readonly key?: string
}

/** Some of the reads are of the other account's channel, which is not found. */
function aRead(account: Account, other: Account, random: () => number): Request {
  const pick = <T>(items: readonly T[]) => items[Math.floor(random() * items.length)]
  const [own, theirs] = [pick(account.channels), pick(other.channels)]
  const paths = [
    '/api/2.1/account',
    '/api/2.1/users',
    '/api/2.1/brands',
    // Both accounts have matching titles.
    `/api/2.3/linear_channels?linear_channel_name=${Math.floor(random() * 100)}`,
    ...(own === undefined ? [] : [`/api/2.3/linear_channels/${own}`]),
    ...(theirs === undefined ? [] : [`/api/2.3/linear_channels/${theirs}`]),
  ]
  const path = pick(paths)!
  return { account, path, expected: theirs !== undefined && path.endsWith(theirs) ? 404 : 200 }
}

const CREATES = [
  { path: '/api/2.3/linear_channels', table: 'linear_channels', bodyOf: (text: string) => ({ title: text }) },
  { path: '/api/2.1/brands', table: 'brands', bodyOf: (text: string) => ({ brand_id: text, name: text }) },
  { path: '/api/2.1/app_keys', table: 'app_keys', bodyOf: (text: string) => ({ app_name: text }) },
] as const

/** A write of one row, which can be repeated with its key. */
function aWrite(account: Account, text: string, random: () => number): Request {
  const { path, table, bodyOf } = CREATES[Math.floor(random() * CREATES.length)]!
  return { account, path, body: bodyOf(text), row: { table, text }, key: randomUUID(), expected: 201 }
}

interface Outcome {
  readonly request: Request
  readonly sentMs: number
  readonly endedMs: number
  /** 0 where there was no complete answer. */
  readonly status: number
  readonly retryAfter: string | null
  readonly text: string
}

/** Longer than every deadline: a request without an answer by then hangs. */
const HANGS_MS = 15_000

/** Sends once. */
async function send({ url }: Running, request: Request): Promise<Outcome> {
  const { path, account, body, key } = request
  const sentMs = performance.now()
  try {
    const answer = await fetch(`${url}${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: {
        ...account?.headers,
        ...(key !== undefined && { 'idempotency-key': key }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      signal: AbortSignal.timeout(HANGS_MS),
    })
    const text = await answer.text()
    const retryAfter = answer.headers.get('retry-after')
    return { request, sentMs, endedMs: performance.now(), status: answer.status, retryAfter, text }
  } catch (error) {
    return { request, sentMs, endedMs: performance.now(), status: 0, retryAfter: null, text: String(error) }
  }
}

const tookMs = ({ sentMs, endedMs }: Outcome): number => endedMs - sentMs

const isDone = ({ request, status }: Outcome): boolean => status === request.expected

const isPutOff = ({ status, retryAfter }: Outcome): boolean => status === 503 && retryAfter !== null

/** The answer contains the name of its own account, unless it is empty or an error, and never that of the other. */
function isOwn({ request, status, text }: Outcome): boolean {
  const word = request.account!.word
  if (WORDS.some((other) => other !== word && text.includes(other))) return false
  return status === 0 || status >= 400 || /^\[\]$|"hits":\[\]/.test(text) || text.includes(word)
}

/** After all requests have ended. The server gets 2 s to notice closed connections. */
async function countConnections({ sql }: Site, api: Running) {
  const count = async () => {
    const rows = await sql.query<{ state: string }>(
      `select state from pg_stat_activity where application_name = 'continuity'`,
    )
    const metrics = await (await fetch(`${api.url}/metrics`)).text()
    return {
      inTransaction: rows.filter(({ state }) => state.startsWith('idle in transaction')).length,
      all: rows.length,
      unknown: rows.length - Number(/^database_connections (\d+)$/m.exec(metrics)?.[1]),
    }
  }
  const isSettled = async () => {
    const seen = await count()
    return seen.unknown === 0 ? seen : undefined
  }
  return (await pollUntil(isSettled, 2_000)) ?? count()
}

/** Checks that successful writes are stored, repeats the others, and checks that none is stored twice. */
async function checkWrites({ sql }: Site, api: Running, outcomes: readonly Outcome[]) {
  const countRows = async () => {
    const rows = await sql.query<{ name: string }>(
      `select concat_ws(' ', accounts.name, record.name) as name from accounts join (
         select account_id, 'linear_channels ' || title as name from linear_channels
         union all select account_id, 'brands ' || name from brands
         union all select account_id, 'app_keys ' || app_name from app_keys) record using (account_id)`,
    )
    const counts = new Map<string, number>()
    for (const { name } of rows) counts.set(name, (counts.get(name) ?? 0) + 1)
    return ({ request: { account, row } }: Outcome) =>
      counts.get(`${account!.word} ${row!.table} ${row!.text}`) ?? 0
  }
  const writes = outcomes.filter(({ request }) => request.row !== undefined)
  const done = writes.filter(isDone)
  const open = writes.filter((outcome) => !isDone(outcome))
  const countBefore = await countRows()
  let notDone = 0
  for (const { request } of open) notDone += isDone(await send(api, request)) ? 0 : 1
  const countAfter = await countRows()
  return {
    acknowledged: done.length,
    lost: done.filter((outcome) => countBefore(outcome) === 0).length,
    repeated: open.length,
    notDone,
    twice: writes.filter((outcome) => countAfter(outcome) > 1).length,
  }
}

/** SIGTERM while the connections of a process are idle, and while one of them waits for an answer. */
async function stopWhileSilent(site: Site, login: Login, link: Link): Promise<number> {
  let stopped = 0
  for (const isQuerying of [false, true]) {
    await link.restore()
    const api = await startAnApi(site, `stopped-${isQuerying}`, link.url)
    const { headers } = await openSession(api.url, login)
    const read = () => fetch(`${api.url}/api/2.1/users`, { headers }).then((answer) => answer.status)
    const statuses = await Promise.all([read(), read(), read()])
    link.silence()
    const unanswered = isQuerying ? read().catch(() => 0) : undefined
    process.kill(api.child.pid, 'SIGTERM')
    const hasEnded = await settlesWithin(api.child.exited, 12_000)
    const isOrderly = hasEnded && (await api.child.exited) === 'ended with code 0'
    if (isOrderly && statuses.every((status) => status === 200)) stopped += 1
    await api.child.stop()
    await unanswered
  }
  return stopped
}
