import { openApiDocument } from '@continuity/contract'
import fc from 'fast-check'
import { type CheckAnswer, type CheckOptions, compileAnswerCheck } from './check-answer.ts'
import {
  type FuzzOperation,
  type FuzzRequest,
  operationsOf,
  type RequestSource,
  requestsTo,
} from './request-arbitrary.ts'
import { createSender, jsonOf, type WireAnswer } from './wire-request.ts'

/** The API to test, and who sends the requests. */
export interface FuzzTarget extends RequestSource, CheckOptions {
  readonly baseUrl: string
  /** A last change to a request, before it is sent. */
  prepare?(request: FuzzRequest): Promise<FuzzRequest> | FuzzRequest
  /** Creates so many records of each kind, before an operation that deletes them. */
  refill?(count: number): Promise<void>
  /** No answer may contain this text. */
  readonly secret?: string
}

export interface FuzzOptions {
  readonly requestsPerOperation: number
  readonly seed: number
  /** The run ends after so many faults. */
  readonly faultsEnough: number
  /** Ids of the operations; without it, all. */
  readonly only?: readonly string[]
  /** Called before each operation of each round and at the end, with the share that is done. */
  onProgress?(share: number): Promise<void> | void
}

export interface FuzzResult {
  readonly operationIds: readonly string[]
  readonly requests: number
  /** By operation; every operation has an entry. */
  readonly answers: ReadonlyMap<string, AnswerCounts>
  readonly byStatus: ReadonlyMap<number, number>
  /** Operations that answered 501. */
  readonly notBuilt: ReadonlySet<string>
  /** Operations of which a valid request succeeded. */
  readonly succeeded: ReadonlySet<string>
  readonly faultCount: number
  /** Descriptions of the first faults of each operation. */
  readonly faults: readonly string[]
}

/** Counted as answers arrive: a request without an answer is in none of them. */
export interface AnswerCounts {
  all: number
  ofValidRequests: number
  successes: number
  problems: number
}

/** All operations one after another, twice: the memory of the second round is compared with that of the first. */
export const ROUNDS = 2

/** Any request to an operation that deletes may delete a record; some must be left for the valid requests. */
const REQUESTS_FOR_A_RECORD = 100

const CONNECTIONS = 8
const BATCH_SIZE = 25
const FAULTS_KEPT_PER_KIND = 2
/** Further valid requests to an operation of which none has succeeded so far. */
const MOST_MORE_VALID = 2_000
const RECORDS_FOR_MORE = 5
const REFILL_AFTER = 100

/** Sends random requests to every operation of both documents. */
export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzResult> {
  const all = [...operationsOf(openApiDocument('2.1')), ...operationsOf(openApiDocument('2.3'))]
  const { only } = options
  const operations = inUsefulOrder(
    all.filter(({ operation }) => only === undefined || only.includes(operation.operationId)),
  )
  const plans = operations.map((it) => ({
    it,
    requests: requestsTo(it, target),
    check: compileAnswerCheck(it, target),
  }))
  const sender = createSender(target.baseUrl, CONNECTIONS)
  const operationIds = operations.map(({ operation }) => operation.operationId)
  const seen = createTally(operationIds)
  const isEnough = () => seen.faultCount() >= options.faultsEnough

  const send = async (drawn: FuzzRequest, check: CheckAnswer) => {
    const request = (await target.prepare?.(drawn)) ?? drawn
    seen.countRequest()
    const fault = await sender.send(request).then(
      (answer) => {
        seen.countAnswer(request, answer)
        if (target.secret !== undefined && answer.body.includes(target.secret))
          return `the answer contains data of another account: ${answer.body.toString()}`
        if (answer.status < 300) collect(target, request, answer)
        return check(request, answer)
      },
      (error: unknown) => `no answer: ${String(error)}`,
    )
    if (fault !== undefined) seen.countFault(request, fault)
  }

  try {
    const planned = Array.from({ length: ROUNDS }, () => plans).flat()
    const count = Math.ceil(options.requestsPerOperation / ROUNDS)
    for (const [index, { it, requests, check }] of planned.entries()) {
      if (isEnough()) break
      await options.onProgress?.(index / planned.length)
      if (it.method === 'DELETE') await target.refill?.(Math.ceil(count / REQUESTS_FOR_A_RECORD))
      const seed = options.seed + index * 1_000_003
      await sendAll(requests.mixed, { count, seed }, (request) => send(request, check))
    }
    let isRefilled = false
    for (const { it, requests, check } of plans) {
      const isUnproved = () => !isEnough() && !seen.hasAnswered(it.operation.operationId)
      for (let sent = 0; sent < MOST_MORE_VALID && isUnproved(); sent += BATCH_SIZE) {
        // Records of all kinds take longer than the requests do: again only where they may be lacking.
        if (!isRefilled || it.method === 'DELETE' || sent === REFILL_AFTER) {
          await target.refill?.(isRefilled ? 1 : RECORDS_FOR_MORE)
          isRefilled = true
        }
        const drawn = { count: BATCH_SIZE, seed: options.seed + sent }
        await sendAll(requests.valid, drawn, (request) => send(request, check))
      }
    }
    await options.onProgress?.(1)
  } finally {
    sender.close()
  }
  return { operationIds, ...seen.result() }
}

const methodOrder = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']

/** Records are created first and deleted last, children before parents, so that all other operations find some. */
function inUsefulOrder(operations: readonly FuzzOperation[]): FuzzOperation[] {
  const rank = ({ method }: FuzzOperation) => methodOrder.indexOf(method)
  const depth = ({ path }: FuzzOperation) => path.split('/').length
  return operations.toSorted((a, b) => rank(a) - rank(b) || depth(b) - depth(a))
}

/** Batches are drawn as they are sent, so that a long run uses little memory and finds new records. */
async function sendAll(
  requests: fc.Arbitrary<FuzzRequest>,
  { count, seed }: { readonly count: number; readonly seed: number },
  send: (request: FuzzRequest) => Promise<void>,
): Promise<void> {
  for (let done = 0; done < count; done += BATCH_SIZE) {
    const numRuns = Math.min(BATCH_SIZE, count - done)
    const batch = fc.sample(requests, { numRuns, seed: seed + done })
    const queue = batch.values()
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const request of queue) await send(request)
      }),
    )
  }
}

/** A hostile request may have reached another operation. */
function collect({ known }: RequestSource, { kind, params }: FuzzRequest, answer: WireAnswer): void {
  known?.collect(jsonOf(answer), kind === 'hostile' ? {} : params)
}

function createTally(operationIds: readonly string[]) {
  const noAnswers = () => ({ all: 0, ofValidRequests: 0, successes: 0, problems: 0 })
  const answers = new Map<string, AnswerCounts>(operationIds.map((id) => [id, noAnswers()]))
  const byStatus = new Map<number, number>()
  const notBuilt = new Set<string>()
  const succeeded = new Set<string>()
  const faults = new Map<string, string[]>()
  const count = { requests: 0, faultCount: 0 }
  return {
    faultCount: () => count.faultCount,
    /** A valid request succeeded, or the operation is not implemented. */
    hasAnswered: (id: string) => succeeded.has(id) || notBuilt.has(id),
    countRequest() {
      count.requests += 1
    },
    countAnswer({ kind, operationId }: FuzzRequest, { status }: WireAnswer) {
      byStatus.set(status, (byStatus.get(status) ?? 0) + 1)
      const counts = answers.get(operationId)!
      counts.all += 1
      if (kind === 'valid') counts.ofValidRequests += 1
      if (status < 300) counts.successes += 1
      if (status >= 400) counts.problems += 1
      if (kind === 'valid' && status === 501) notBuilt.add(operationId)
      if (kind === 'valid' && status < 300) succeeded.add(operationId)
    },
    countFault(request: FuzzRequest, fault: string) {
      count.faultCount += 1
      // For each kind, so that faults of valid requests are not crowded out.
      const key = `${request.operationId} ${request.kind}`
      const kept = faults.get(key) ?? []
      if (kept.length < FAULTS_KEPT_PER_KIND) faults.set(key, [...kept, describe(request, fault)])
    },
    result: () => ({ ...count, answers, byStatus, notBuilt, succeeded, faults: [...faults.values()].flat() }),
  }
}

function describe({ kind, operationId, method, path, headers, body }: FuzzRequest, fault: string): string {
  const { 'x-service-auth': credential, ...others } = headers
  const shown = JSON.stringify({
    method,
    path: path.slice(0, 300),
    headers: { 'x-service-auth': `${credential?.slice(0, 8)}…`, ...others },
    body: body?.toString().slice(0, 300),
  })
  return `${operationId}, ${kind}: ${fault.slice(0, 600)}\n    ${shown.slice(0, 1_200)}`
}
