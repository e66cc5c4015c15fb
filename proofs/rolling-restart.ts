import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { Agent } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { operations } from '@continuity/contract'
import { messageOf } from '@continuity/dev/fault'
import { round } from '@continuity/dev/figures'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { measured } from '@continuity/dev/measured'
import { readComplaints, startNginx } from '@continuity/dev/nginx'
import { seededRandom } from '@continuity/dev/seeded-random'
import { pollUntil, settlesWithin } from '@continuity/dev/waiting'
import { proof } from './proof.ts'
import { type HttpAnswer, type HttpRequest, sendRequest } from './shared/http-request.ts'
import { type Login, type Running, startSite } from './shared/site.ts'

/** A request has failed without its answer after this time. */
const TIMEOUT_MS = 10_000
/** Short, so that a run sees many restarts; nginx has no probe that would need longer. */
const DRAIN_GRACE_MS = 300
const DRAIN_LAST_MS = 5_000
/** By far less than the last phase of a drain, as in production (5 s of 15 s). */
const NGINX_KEEPALIVE_MS = 1_000
/** Of whose sessions all but the first are renewed during the run. */
const USERS = 8
/** Clients: each sends, waits for the answer, pauses for a random time and sends again. */
const LANES = 16
/** POSTs that are half sent when a process gets SIGTERM, and the pause before their second half: until then it listens no more. */
const SLOW_POSTS = 4
const SLOW_BODY_MS = 2 * DRAIN_GRACE_MS
/** So many of the POSTs are sent again at the end, with their keys. */
const REPEATED_POSTS = 50

export const rollingRestart = proof({
  name: 'rolling-restart',
  title: 'Rolling restarts under load',
  promise:
    'Two API processes behind nginx, with the configuration that we ship. While clients read and write, one process ' +
    'after the other gets SIGTERM, exits, and is started again. No request fails: each gets its right answer within ' +
    '10 s, and the client retries none. A POST that is half sent when its process gets SIGTERM is answered too. ' +
    'No POST reaches the processes twice. Every channel that was requested exists once, also when the same POST is ' +
    'sent again with its Idempotency-Key, and every session that was renewed all the while is still valid.',
  // At this pace there is time for more restarts than are required.
  sizes: {
    small: { requests: 600, perSecond: 200, restarts: 2 },
    full: { requests: 20_000, perSecond: 500, restarts: 8 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const site = await startSite(opened)
    const logins = await site.addAccount('rolling', { users: USERS })
    const [port1, port2, nginxPort] = await findLastingPorts()
    const settings = { DRAIN_GRACE_MS: `${DRAIN_GRACE_MS}`, DRAIN_LAST_MS: `${DRAIN_LAST_MS}` }
    const start = (at: 0 | 1) => site.startApi({ name: `api-${at}`, port: [port1, port2][at]!, settings })
    const apis: [Running, Running] = [await start(0), await start(1)]
    const nginx = await startNginx({
      folder: join(site.home, 'nginx'),
      port: nginxPort,
      apiPorts: [port1, port2],
      keepaliveMs: NGINX_KEEPALIVE_MS,
    })
    opened.defer(() => nginx.stop())

    const call = (request: HttpRequest) => sendAlone(apis[0].url, request)
    const sessions: Session[] = []
    for (const login of logins) sessions.push(sessionIn(await call(aPost(operations.login, {}, login))))
    const [own, ...renewed] = sessions
    const channels = aKindOfChannels(credentialOf(own!))
    const refreshes = aKindOfRefreshes(renewed)
    const fixed = await prepareRequests(call, credentialOf(own!))
    // A login costs as much as a hundred reads, and people log in rarely.
    const mix: readonly Kind[] = [
      ...fixed.map((request): Kind => ({ weight: 10, next: () => request })),
      { weight: 20, next: channels.next },
      { weight: 10, next: refreshes.next },
      { weight: 1, next: aKindOfLogins(logins) },
    ]

    const stops: Stop[] = []
    const load = startLoad({
      url: `http://127.0.0.1:${nginxPort}`,
      requests: size.requests,
      perSecond: size.perSecond,
      mix,
      random: seededRandom(seed),
      mayEnd: () => stops.length >= size.restarts,
    })
    opened.defer(() => load.stop())
    const posts: string[] = []
    let at: 0 | 1 = 0
    for (;;) {
      const stop = await stopUnderLoad(apis[at], load, channels.next)
      if (stop === undefined) break
      stops.push(stop)
      posts.push(...stop.log.posts)
      apis[at] = await start(at)
      log(`api-${at}: ${stop.inFlight} requests in flight, drained in ${round(stop.drainMs, 0)} ms`)
      at = at === 0 ? 1 : 0
    }
    const { failures, sent, postsSent } = await load.ended

    const countChannels = async () =>
      (
        await site.sql.query<{ count: number }>(
          `select count(*)::integer as count from linear_channels where title like '${TITLE}%' group by title`,
        )
      ).map(({ count }) => count)
    const made = await countChannels()
    const repeated = channels.posts.slice(-REPEATED_POSTS)
    for (const request of repeated) {
      const seen = describe(request, await call(request))
      if (seen !== request.expected) failures.push(`${request.path} again: ${seen}`)
    }
    const madeTwice = (await countChannels()).filter((count) => count > 1).length
    let valid = 0
    for (const session of refreshes.sessions) {
      const renewed = await call(aRefresh(session))
      if (renewed.status !== 200) continue
      const headers = credentialOf(sessionIn(renewed))
      const { status } = await call({ method: 'GET', path: '/api/2.1/account', headers })
      if (status === 200) valid += 1
    }
    for (const { child } of apis) {
      await child.stop()
      posts.push(...(await readLog(child.logFile)).posts)
    }

    failures.push(...stops.flatMap((stop) => stop.failures))
    // What nginx could repeat on the other process, no client has noticed.
    const complaints = await readComplaints(nginx)
    for (const line of [...failures.slice(0, 5), ...complaints.slice(0, 5)]) log(line)
    const allPosts = postsSent + stops.length * SLOW_POSTS
    return measured({
      requests: [sent, { is: size.requests }],
      failed: [failures.length, { is: 0 }],
      restarts: [stops.length, { atLeast: size.restarts }],
      requests_in_flight_at_sigterm_fewest: [
        Math.min(...stops.map(({ inFlight }) => inFlight)),
        { atLeast: 1 },
      ],
      requests_answered_by_a_restarted_process_fewest: [
        Math.min(...stops.map((stop) => stop.log.answered)),
        { atLeast: 1 },
      ],
      restarts_with_requests_answered_while_draining: [
        stops.filter((stop) => stop.log.hasAnsweredWhileDraining).length,
        { atLeast: size.restarts },
      ],
      drain_exit_codes_other_than_0: [
        stops.filter(({ exit }) => exit !== 'ended with code 0').length,
        { is: 0 },
      ],
      drains_that_cut_connections: [stops.filter((stop) => stop.log.hasCutConnections).length, { is: 0 }],
      posts_sent: [allPosts, { atLeast: Math.floor(size.requests / 3) }],
      posts_that_reached_a_process: [new Set(posts).size, { is: allPosts }],
      posts_that_arrived_twice: [posts.length - new Set(posts).size, { is: 0 }],
      channels_requested: [channels.posts.length, { atLeast: size.requests / 10 }],
      channels_made: [made.length, { is: channels.posts.length }],
      channels_made_twice: [madeTwice, { is: 0 }],
      posts_repeated_with_their_key: [repeated.length, { is: REPEATED_POSTS }],
      sessions_renewed: [refreshes.count(), { atLeast: size.requests / 50 }],
      sessions_valid: [valid, { is: USERS - 1 }],
    })
  },
})

interface Session {
  readonly token: { readonly token_access: string; readonly token_refresh: string }
  readonly device_id: string
}

const credentialOf = ({ token, device_id }: Session) => ({
  'x-service-auth': token.token_access,
  'x-service-device': device_id,
})

const sessionIn = ({ body }: HttpAnswer): Session => JSON.parse(body.toString()) as Session

/** On a connection of its own: an idle one of ours would delay a process that drains. */
const sendAlone = (url: string, request: HttpRequest, bodyPauseMs?: number): Promise<HttpAnswer> =>
  sendRequest(request, {
    url,
    agent: false,
    timeoutMs: TIMEOUT_MS,
    ...(bodyPauseMs !== undefined && { bodyPauseMs }),
  })

interface KnownRequest extends HttpRequest {
  /** As `describe` describes the right answer. */
  readonly expected: string
  /** Every right answer is the same to the byte. */
  readonly isFixed?: boolean
  /** Called with the right answer. */
  readonly take?: (answer: HttpAnswer) => void
}

/** A kind of request, and how often it is sent beside the others; `next` gives none while there is none to send. */
interface Kind {
  readonly weight: number
  next(): KnownRequest | undefined
}

const JSON_TYPE = 'application/json; charset=utf-8'

/** The status, and the code of a problem, or a digest where every answer is the same. */
function describe({ isFixed = false }: Partial<KnownRequest>, { status, headers, body }: HttpAnswer): string {
  const type = headers['content-type'] ?? 'no type'
  if (type.startsWith('application/problem+json'))
    return `${status} ${(JSON.parse(body.toString()) as { code: string }).code}`
  return `${status} ${isFixed ? createHash('sha256').update(body).digest('base64url') : type}`
}

const aPost = (
  { version, path }: { readonly version: string; readonly path: string },
  headers: HttpRequest['headers'],
  body: object,
) => ({
  method: 'POST',
  path: `/api/${version}${path}`,
  headers: { ...headers, 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

const aRefresh = ({ token }: Session) =>
  aPost(operations.refreshSession, {}, { token_refresh: token.token_refresh })

const TITLE = 'Rolling '

/** Creates another channel each time, with its own Idempotency-Key. */
function aKindOfChannels(headers: HttpRequest['headers']) {
  const posts: KnownRequest[] = []
  const next = () => {
    const keyed = { ...headers, 'idempotency-key': `rolling-${posts.length}` }
    const post = aPost(operations.createLinearChannel, keyed, { title: `${TITLE}${posts.length}` })
    const request = { ...post, expected: `201 ${JSON_TYPE}` }
    posts.push(request)
    return request
  }
  return { posts, next }
}

/** Each session is renewed repeatedly with the credential of the last renewal: one lost answer ends it. */
function aKindOfRefreshes(opened: readonly Session[]) {
  const sessions = [...opened]
  let renewals = 0
  const next = (): KnownRequest | undefined => {
    const session = sessions.shift()
    return (
      session && {
        ...aRefresh(session),
        expected: `200 ${JSON_TYPE}`,
        take(answer) {
          renewals += 1
          sessions.push(sessionIn(answer))
        },
      }
    )
  }
  return { sessions, next, count: () => renewals }
}

/** One user after another: so many logins of one would meet the login limit. */
function aKindOfLogins(logins: readonly Login[]) {
  let count = 0
  return () => ({
    ...aPost(operations.login, {}, logins[count++ % logins.length]!),
    expected: `200 ${JSON_TYPE}`,
  })
}

/** Reads and writes, small and large, that are the same each time; what they answer without load is right. */
async function prepareRequests(
  call: (request: HttpRequest) => Promise<HttpAnswer>,
  headers: HttpRequest['headers'],
): Promise<KnownRequest[]> {
  const { createLinearChannel, scheduleProgram, searchVideos } = operations
  const channel = await call(aPost(createLinearChannel, headers, { title: 'Lasting' }))
  const { linear_channel_id } = JSON.parse(channel.body.toString()) as { linear_channel_id: string }
  const aGet = (path: string) => ({ method: 'GET', path, headers })
  const { body } = scheduleProgram.example
  const aProgram = (inDays: number, videos: readonly object[]) => {
    const start_time = new Date(Date.now() + inDays * 86_400_000).toISOString()
    const schedule = { start_time, duration_ms: 7 * 86_400_000 }
    return aPost(scheduleProgram, headers, { ...body, linear_channel_id, videos, schedule })
  }
  const requests = [
    { ...aGet(`/api/2.3/linear_channels/${linear_channel_id}`), isFixed: true },
    { ...aGet('/api/2.3/linear_channels?linear_channel_name=Lasting'), isFixed: true },
    aGet('/api/2.1/videos'),
    aPost(searchVideos, headers, searchVideos.example.body),
    aProgram(10, body.videos),
    // 23 kB: more than the 16 kB that nginx keeps in memory, so that its temporary files take part.
    aProgram(20, Array.from({ length: 40 }, () => body.videos).flat()),
    // The one large answer: a connection that is cut shows in the middle of it.
    { method: 'GET', path: '/openapi/2.1.json', headers: {}, isFixed: true },
  ]
  const known: KnownRequest[] = []
  for (const request of requests) {
    const answer = await call(request)
    const expected = describe(request, answer)
    if (answer.status >= 300) throw new Error(`${request.path} answers ${expected} without load`)
    known.push({ ...request, expected })
  }
  return known
}

interface LoadOptions {
  readonly url: string
  readonly requests: number
  readonly perSecond: number
  readonly mix: readonly Kind[]
  readonly random: () => number
  /** While false, the last tenth is sent slowly, so that the load outlasts the restarts. */
  readonly mayEnd: () => boolean
}

type Load = ReturnType<typeof startLoad>

const ID_PREFIX = 'rolling-'

function startLoad({ url, requests, perSecond, mix, random, mayEnd }: LoadOptions) {
  const keeping = new Agent({ keepAlive: true })
  const failures: string[] = []
  const weights = mix.reduce((sum, { weight }) => sum + weight, 0)
  let [sent, postsSent, inFlight, isStopped, isOver] = [0, 0, 0, false, false]
  const isDone = () => isStopped || sent >= requests

  const choose = (): KnownRequest => {
    let left = random() * weights
    const kind = mix.find(({ weight }) => {
      left -= weight
      return left < 0
    })
    return kind?.next() ?? mix[0]!.next()!
  }
  const sendOne = async (agent: Agent | false) => {
    const request = choose()
    sent += 1
    if (request.method === 'POST') postsSent += 1
    const id = `${ID_PREFIX}${sent}`
    const startMs = performance.now()
    inFlight += 1
    const named = { ...request, headers: { ...request.headers, 'x-request-id': id } }
    const answered = await sendRequest(named, { url, agent, timeoutMs: TIMEOUT_MS })
      .then((answer) => {
        const described = describe(request, answer)
        if (described === request.expected) request.take?.(answer)
        return described
      })
      .catch(messageOf)
    inFlight -= 1
    if (answered === request.expected) return
    const how = `${request.method} ${request.path} on a ${agent === false ? 'new' : 'kept'} connection`
    const tookMs = round(performance.now() - startMs, 0)
    failures.push(`${id} ${how}, after ${tookMs} ms: ${answered}, not ${request.expected}`)
  }
  const runLane = async (lane: number) => {
    // Every fourth opens a connection for each request; the others keep theirs.
    const agent = lane % 4 === 0 ? false : keeping
    while (!isDone()) {
      const isSlowed = requests - sent <= requests / 10 && !mayEnd()
      await sleep(random() * 2 * ((LANES * 1_000) / perSecond) * (isSlowed ? 10 : 1))
      if (!isDone()) await sendOne(agent)
    }
  }
  const run = async () => {
    await Promise.all(Array.from({ length: LANES }, (_, lane) => runLane(lane)))
    keeping.destroy()
    isOver = true
    return { failures, sent, postsSent }
  }
  const ended = run()
  return {
    ended,
    isOver: () => isOver,
    inFlight: () => inFlight,
    /** Drops the requests that were not sent yet. */
    async stop() {
      isStopped = true
      await ended
    },
  }
}

interface Stop {
  /** Requests under way at the signal. */
  readonly inFlight: number
  readonly drainMs: number
  readonly exit: string
  readonly failures: readonly string[]
  readonly log: ApiLog
}

/** Sends SIGTERM while requests are in flight, and waits for the exit. Undefined when the load is over. */
async function stopUnderLoad(
  { url, child }: Running,
  load: Load,
  nextPost: () => KnownRequest,
): Promise<Stop | undefined> {
  // Not for long: near its end the load has few.
  await pollUntil(() => load.inFlight() >= 4 || load.isOver() || undefined, 500)
  await pollUntil(() => load.inFlight() >= 1 || load.isOver() || undefined, 60_000)
  if (load.isOver()) return undefined
  const inFlight = load.inFlight()
  const startMs = performance.now()
  // To the process itself: nginx buffers a body before it passes the request on, and hides slow clients.
  const slow = Array.from({ length: SLOW_POSTS }, async (_, i) => {
    const post = nextPost()
    const request = {
      ...post,
      headers: { ...post.headers, 'x-request-id': `${ID_PREFIX}slow-${child.pid}-${i}` },
    }
    const seen = await sendAlone(url, request, SLOW_BODY_MS).then((it) => describe(post, it), messageOf)
    return seen === post.expected ? [] : [`with a slow body: ${seen}, not ${post.expected}`]
  })
  process.kill(child.pid, 'SIGTERM')
  if (!(await settlesWithin(child.exited, 30_000)))
    throw new Error('a process did not end within 30 s of SIGTERM')
  const drainMs = performance.now() - startMs
  const failures = (await Promise.all(slow)).flat()
  return { inFlight, drainMs, exit: await child.exited, failures, log: await readLog(child.logFile) }
}

interface ApiLog {
  /** The ids of the load's POSTs that the process answered, once for each answer. */
  readonly posts: readonly string[]
  readonly answered: number
  readonly hasAnsweredWhileDraining: boolean
  /** The drain ended by closing connections that were still in use. */
  readonly hasCutConnections: boolean
}

/** The requests of the load in the log of a process that has exited. Its next start moves the log away. */
async function readLog(logFile: string): Promise<ApiLog> {
  const lines = (await readFile(logFile, 'utf8')).split('\n').filter((line) => line.startsWith('{'))
  const entries = lines.map(
    (line) => JSON.parse(line) as { msg: string; method?: string; request_id?: string },
  )
  const drainAt = entries.findIndex(({ msg }) => msg === 'draining')
  const isOfLoad = ({ request_id: id }: { request_id?: string }) => id?.startsWith(ID_PREFIX) === true
  const answered = entries.filter(isOfLoad)
  return {
    posts: answered.filter(({ method }) => method === 'POST').map(({ request_id: id }) => id!),
    answered: answered.length,
    hasAnsweredWhileDraining: drainAt !== -1 && entries.slice(drainAt).some(isOfLoad),
    hasCutConnections: entries.some(({ msg }) => msg.includes('drain timed out')),
  }
}
