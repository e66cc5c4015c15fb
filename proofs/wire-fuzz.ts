import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Endpoint, errorsOf, openApiDocument, operations, type Problem } from '@continuity/contract'
import { ensureFeedKeys } from '@continuity/dev/feed-keys'
import { median, round } from '@continuity/dev/figures'
import { keepDoing } from '@continuity/dev/keep-doing'
import { measured } from '@continuity/dev/measured'
import { ensureSecretKeys, ensureViewingKey } from '@continuity/dev/secret-keys'
import { errorTable } from '@continuity/server/owner'
import { jetstreamManager } from '@nats-io/jetstream'
import { connect } from '@nats-io/transport-node'
import { Ajv, type ValidateFunction } from 'ajv'
import fc from 'fast-check'
import { proof } from './proof.ts'
import { openFuzzAccounts } from './shared/fuzz-accounts.ts'
import {
  type FuzzOperation,
  type FuzzRequest,
  operationsOf,
  type RequestKind,
  requestsTo,
} from './shared/fuzz-requests.ts'
import { type HttpAnswer, sendRequest } from './shared/http-request.ts'
import { type Site, startSite } from './shared/site.ts'

interface FuzzSize {
  readonly requestsPerOperation: number
  /** The run ends after so many faults. */
  readonly faultsEnough: number
  readonly memoryGrowth: number
}

/** A document that has lost operations is noticed. */
const LEAST_OPERATIONS = 100
/** All operations one after another, twice: the memory of the second round is compared with that of the first. */
const ROUNDS = 2
const CONNECTIONS = 8
const BATCH_SIZE = 25
const ANSWER_TIMEOUT_MS = 20_000
/** Any request to an operation that deletes may delete a record; some must be left for the valid requests. */
const REQUESTS_FOR_A_RECORD = 100
/** Further valid requests to an operation of which none has succeeded so far. */
const MOST_MORE_VALID = 2_000
const ADDRESSES = 60

/**
 * The process trusts the X-Forwarded-For of the requests, so that login limits
 * apply to some addresses and not to all. It does not shed load: on a busy
 * machine that would show nothing about the process.
 */
const SETTINGS = {
  LOG_LEVEL: 'error',
  TRUSTED_PROXIES: '127.0.0.1',
  MAX_EVENT_LOOP_DELAY_MS: '60000',
  DATABASE_PATIENCE: '6',
  // No worker sends mails; the API still accepts recipients.
  SMTP_HOST: '127.0.0.1',
}

export const wireFuzz = proof<FuzzSize>({
  name: 'wire-fuzz',
  title: 'The HTTP API under random requests',
  promise:
    'Valid, near-valid and hostile requests, drawn from the OpenAPI documents, are sent to every operation of a real API ' +
    'process with its database, whose records they read, change and delete. The process answers a valid one with success ' +
    'or with an error that its operation declares, and each operation succeeds at least once. Every request is answered; ' +
    'every error is a valid problem document with a declared code, every success matches its schema, none is a 5xx, no ' +
    'answer contains a record of another account, the process does not crash and its memory does not grow.',
  // In the small run the heap is still growing to its usual size.
  sizes: {
    small: { requestsPerOperation: 10, faultsEnough: 3, memoryGrowth: 3 },
    full: { requestsPerOperation: 5_000, faultsEnough: 200, memoryGrowth: 1.25 },
  },
  async run({ size, seed, log }) {
    await using opened = new AsyncDisposableStack()
    const site = await startSite(opened)
    const keys = {
      ...(await ensureFeedKeys(site.home)).signing,
      ...(await ensureSecretKeys(site.home)),
      ...(await ensureViewingKey(site.home)),
    }
    const { url } = await site.startApi({ name: 'api', settings: { ...SETTINGS, ...keys } })
    opened.defer((await standInForWorker(site)).stop)
    const accounts = await openFuzzAccounts(site, url)
    const { known, secret } = accounts
    const senders = fc
      .integer({ min: 1, max: ADDRESSES })
      .map((number) => ({ ...accounts.credential, 'x-forwarded-for': `198.51.100.${number}` }))
    const plans = inUsefulOrder(
      (['2.1', '2.3'] as const).flatMap((it) => operationsOf(openApiDocument(it))),
    ).map((it) => ({
      it,
      id: it.operation.operationId,
      requests: requestsTo(it, { senders, known }),
      check: compileAnswerCheck(it),
    }))
    type Plan = (typeof plans)[number]

    const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS })
    opened.defer(() => agent.destroy())
    const tally = createTally(plans.map(({ id }) => id))
    const isEnough = () => tally.faultCount() >= size.faultsEnough
    const sendOne = async (drawn: FuzzRequest, { check }: Plan) => {
      const request = await accounts.prepare(drawn)
      const isEndless = (headers: HttpAnswer['headers']) =>
        // An event stream with follow does not end.
        headers['content-type']?.startsWith('text/event-stream') === true &&
        !request.path.includes('follow=false')
      const options = { url, agent, timeoutMs: ANSWER_TIMEOUT_MS, isEndless }
      const fault = await sendRequest(request, options).then(
        (answer) => {
          tally.countAnswer(request, answer)
          if (answer.body.includes(secret))
            return `the answer contains data of another account: ${answer.body.toString()}`
          // A hostile request may have reached another operation.
          if (answer.status < 300)
            known.collect(jsonOf(answer), request.kind === 'hostile' ? {} : request.params)
          return check(request, answer)
        },
        (error: unknown) => `no answer: ${String(error)}`,
      )
      if (fault !== undefined) tally.countFault(request, fault)
    }
    /** Batches are drawn as they are sent, so that a long run uses little memory and finds new records. */
    const sendAll = async (plan: Plan, kind: 'mixed' | 'valid', count: number, firstSeed: number) => {
      for (let done = 0; done < count; done += BATCH_SIZE) {
        const numRuns = Math.min(BATCH_SIZE, count - done)
        const queue = fc.sample(plan.requests[kind], { numRuns, seed: firstSeed + done }).values()
        const sendFromQueue = async () => {
          for (const request of queue) await sendOne(request, plan)
        }
        await Promise.all(Array.from({ length: CONNECTIONS }, sendFromQueue))
      }
    }

    const startedMs = performance.now()
    const samplesMb: number[] = []
    const planned = Array.from({ length: ROUNDS }, () => plans).flat()
    const count = Math.ceil(size.requestsPerOperation / ROUNDS)
    for (const [index, plan] of planned.entries()) {
      if (isEnough()) break
      // A process that exited is counted at the end.
      const bytes = await readMetric(url, 'process_resident_memory_bytes').catch(() => Number.NaN)
      samplesMb.push(bytes / 2 ** 20)
      if (index % 20 === 0) log(`${index} of ${planned.length} operations, ${round(samplesMb.at(-1)!, 0)} MB`)
      if (plan.it.method === 'DELETE') await accounts.refill(Math.ceil(count / REQUESTS_FOR_A_RECORD))
      await sendAll(plan, 'mixed', count, seed + index * 1_000_003)
    }
    await accounts.refill(5)
    for (const plan of plans) {
      const isUnproved = () => !isEnough() && !tally.succeeded.has(plan.id)
      for (let sent = 0; sent < MOST_MORE_VALID && isUnproved(); sent += BATCH_SIZE) {
        // Records of all kinds take longer than the requests do: again only where they may be lacking.
        if (plan.it.method === 'DELETE' || sent === 4 * BATCH_SIZE) await accounts.refill(1)
        await sendAll(plan, 'valid', BATCH_SIZE, seed + sent)
      }
    }
    const tookSeconds = (performance.now() - startedMs) / 1_000
    const uptimeSeconds = await readMetric(url, 'process_uptime_seconds').catch(() => 0)

    for (const fault of tally.faults().slice(0, 10)) log(fault)
    const unproved = plans.filter(({ id }) => !tally.succeeded.has(id)).map(({ id }) => id)
    if (unproved.length > 0) log(`never succeeded: ${unproved.join(', ')}`)
    const counts = [...tally.answers.values()]
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)
    // The second half of each round: the same operations, in the same order.
    const half = Math.floor(plans.length / 2)
    const memoryFirst = median(samplesMb.slice(0, plans.length).slice(-half))
    const memoryLast = median(samplesMb.slice(-half))
    return measured({
      operations: [plans.length, { atLeast: LEAST_OPERATIONS }],
      implemented_without_success: [unproved.length, { is: 0 }],
      requests: sum(counts.map(({ all }) => all)),
      answers_of_the_process_fewest_of_an_operation: [
        Math.min(...counts.map(({ all }) => all)),
        { atLeast: size.requestsPerOperation },
      ],
      // A third are drawn as valid.
      answers_to_valid_requests_fewest_of_an_operation: [
        Math.min(...counts.map(({ valid }) => valid)),
        {
          atLeast: Math.ceil(size.requestsPerOperation / 20),
        },
      ],
      successes_of_the_process: [
        sum(counts.map(({ successes }) => successes)),
        { atLeast: plans.length * size.requestsPerOperation * 0.1 },
      ],
      problems_of_the_process: [
        sum(counts.map(({ problems }) => problems)),
        { atLeast: plans.length * size.requestsPerOperation * 0.1 },
      ],
      faults: [tally.faultCount(), { is: 0 }],
      records_of_another_account: [accounts.hiddenRecords, { atLeast: 10 }],
      processes_that_ended: [uptimeSeconds > tookSeconds ? 0 : 1, { is: 0 }],
      memory_first_round_mb: round(memoryFirst, 0),
      memory_last_round_mb: round(memoryLast, 0),
      memory_growth_ratio: [round(memoryLast / memoryFirst, 2), { atMost: size.memoryGrowth }],
      statuses_of_process: tally.statuses(),
    })
  },
})

/** Records are created first and deleted last, children before parents, so that all other operations find some. */
function inUsefulOrder(all: readonly FuzzOperation[]): FuzzOperation[] {
  const rank = ({ method }: FuzzOperation) => ['POST', 'PUT', 'PATCH', 'GET', 'DELETE'].indexOf(method)
  const depth = ({ path }: FuzzOperation) => path.split('/').length
  return all.toSorted((a, b) => rank(a) - rank(b) || depth(b) - depth(a))
}

/** Creates the streams of live sources, and activates them on request. */
async function standInForWorker({ nats, sql }: Site) {
  const { username, password, host } = new URL(nats.url)
  const connection = await connect({ servers: host, user: username, pass: password })
  const { streams } = await jetstreamManager(connection)
  const state = ['config.*', 'lease.*.*', 'report.*.*', 'health.*.*'].map((subject) => `live.${subject}`)
  await streams.add({ name: 'LIVE', subjects: state, max_msgs_per_subject: 1 })
  await streams.add({ name: 'LIVE_LOG', subjects: ['live.log.*.*', 'live.breaks.*'] })
  await connection.close()
  return keepDoing(async () => {
    await sql.query(`update live_sources set state = case state when 'ACTIVATING' then 'ACTIVE' else 'IDLE' end
                      where state in ('ACTIVATING', 'DEACTIVATING')`)
    await sleep(100)
  })
}

async function readMetric(url: string, name: string): Promise<number> {
  const metrics = await (await fetch(`${url}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
}

function createTally(operationIds: readonly string[]) {
  const answers = new Map(operationIds.map((id) => [id, { all: 0, valid: 0, successes: 0, problems: 0 }]))
  const byStatus = new Map<number, number>()
  const succeeded = new Set<string>()
  const faults = new Map<string, string[]>()
  let faultCount = 0
  return {
    /** By operation; a request without an answer is not counted. */
    answers,
    /** Operations of which a valid request succeeded. */
    succeeded,
    faultCount: () => faultCount,
    faults: () => [...faults.values()].flat(),
    statuses: () =>
      [...byStatus]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status}: ${count}`)
        .join(', '),
    countAnswer({ kind, operationId }: FuzzRequest, { status }: HttpAnswer) {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      const counts = answers.get(operationId)!
      counts.all += 1
      if (kind === 'valid') counts.valid += 1
      if (status < 300) counts.successes += 1
      if (status >= 400) counts.problems += 1
      if (kind === 'valid' && status < 300) succeeded.add(operationId)
    },
    countFault(request: FuzzRequest, fault: string) {
      faultCount += 1
      // Two of each kind are kept, so that faults of valid requests are not crowded out.
      const key = `${request.operationId} ${request.kind}`
      const kept = faults.get(key) ?? []
      if (kept.length < 2) faults.set(key, [...kept, describe(request, fault)])
    },
  }
}

function describe({ kind, operationId, method, path, headers, body }: FuzzRequest, fault: string): string {
  const shown = { method, path: path.slice(0, 300), headers, body: body?.toString().slice(0, 300) }
  return `${operationId}, ${kind}: ${fault.slice(0, 600)}\n    ${JSON.stringify(shown).slice(0, 1_200)}`
}

/** The body parsed as JSON; undefined where it is not JSON. */
function jsonOf({ body }: HttpAnswer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Describes the fault of an answer; undefined for a right one. */
type CheckAnswer = (request: FuzzRequest, answer: HttpAnswer) => string | undefined

const ajv = new Ajv({
  strict: false,
  formats: {
    'date-time': (text: string) =>
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.test(text) && !Number.isNaN(Date.parse(text)),
    date: (text: string) => /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(Date.parse(text)),
    uri: (text: string) => URL.canParse(text),
  },
})

const statusOfCode = new Map(errorTable.map(({ code, status }) => [code, status]))
/** Those of the HTTP layer, for a request that is not valid. */
const OF_HTTP =
  /^(request|credential|role|route|version|method|response|body|range|idempotency|header|page)\./

/** Every error is a declared problem, every success matches its schema, and none is a 5xx. */
function compileAnswerCheck({ document, operation }: FuzzOperation): CheckAnswer {
  const compile = (schema: object) => ajv.compile({ ...schema, components: document.components })
  const checkProblem = compile({ $ref: '#/components/schemas/Problem' })
  const schemas = new Map(
    Object.entries(operation.responses).map(([status, { content }]) => {
      const schema = content?.['application/json']?.schema
      return [Number(status), schema && compile(schema)] as const
    }),
  )
  const id = operation['x-alias-of'] ?? operation.operationId
  const declared = errorsOf((operations as Readonly<Record<string, Endpoint>>)[id]!)
  const isAllowed: Readonly<Record<RequestKind, (code: string) => boolean>> = {
    valid: (code) => code in declared,
    'near-valid': (code) => code in declared || code === 'record.changed' || OF_HTTP.test(code),
    hostile: (code) => statusOfCode.has(code),
  }
  return (request, answer) => {
    const { kind, method } = request
    const { status, headers } = answer
    if (status >= 500) return `answered ${status}: ${answer.body.toString()}`
    if (method === 'HEAD' || status === 204 || status === 304) return undefined
    if (status < 400) {
      // Another method or path may be another operation.
      if (kind === 'hostile') return undefined
      if (!schemas.has(status)) return `${status} is not in the document`
      return faultOf(schemas.get(status), answer)
    }
    if (!String(headers['content-type']).startsWith('application/problem+json'))
      return `${status} is not problem+json but ${headers['content-type']}`
    const fault = faultOf(checkProblem, answer)
    if (fault !== undefined) return fault
    const problem = jsonOf(answer) as Problem
    if (problem.status !== status) return `the problem has the status ${problem.status}, the answer ${status}`
    if (statusOfCode.get(problem.code) !== status || !isAllowed[kind](problem.code))
      return `${status} ${problem.code} is not declared: ${problem.detail}`
    if (problem.message !== problem.detail) return 'message is not the same text as detail'
    const ofOurCode = /\bat .+:\d+:\d+|node_modules|\.ts\b/.exec(problem.detail)?.[0]
    // A detail may repeat an id of the request.
    const isSent =
      ofOurCode !== undefined &&
      (request.path.includes(encodeURIComponent(ofOurCode)) || request.body?.includes(ofOurCode) === true)
    return ofOurCode === undefined || isSent ? undefined : `the detail exposes our code: ${problem.detail}`
  }
}

const faultOf = (check: ValidateFunction | undefined, answer: HttpAnswer): string | undefined =>
  check === undefined || check(jsonOf(answer))
    ? undefined
    : `the answer is not as documented: ${ajv.errorsText(check.errors)}`
