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

/** What is walked, and as whom. */
export interface FuzzTarget extends RequestSource, CheckOptions {
  readonly baseUrl: string
  /** A last change to a request, before it is sent. */
  dress?(request: FuzzRequest): Promise<FuzzRequest> | FuzzRequest
  /** Makes so many records of each kind, before an operation that deletes them. */
  refill?(count: number): Promise<void>
  /** No answer may hold this text. */
  readonly secret?: string
}

export interface FuzzOptions {
  readonly requestsPerOperation: number
  readonly seed: number
  /** Ends the walk: what is broken in so many places is broken. */
  readonly faultsEnough: number
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
  /** Operations of which a valid request had success. */
  readonly succeeded: ReadonlySet<string>
  readonly faultCount: number
  /** The first faults of each operation, in words. */
  readonly faults: readonly string[]
}

/** Counted as answers arrive: a request without an answer is in none of them. */
export interface AnswerCounts {
  all: number
  ofValidRequests: number
  successes: number
  problems: number
}

/** All operations in turn, and once more: what the second round meets, and holds, can be compared with the first. */
export const ROUNDS = 2

/** Any request to an operation that deletes may be the end of a record; some are to be left for the valid ones. */
const REQUESTS_FOR_A_RECORD = 100

const CONNECTIONS = 8
const BATCH_SIZE = 25
const FAULTS_TOLD_PER_OPERATION = 2
/** Sent to an operation of which no valid request had success by chance, until one has. */
const MOST_MORE_VALID = 400
const RECORDS_FOR_MORE = 5

/** Walks every operation of both documents. */
export async function fuzz(target: FuzzTarget, options: FuzzOptions): Promise<FuzzResult> {
  const operations = inUsefulOrder([
    ...operationsOf(openApiDocument('2.1')),
    ...operationsOf(openApiDocument('2.3')),
  ])
  const stations = operations.map((it) => ({
    it,
    requests: requestsTo(it, target),
    check: compileAnswerCheck(it, target),
  }))
  const sender = createSender(target.baseUrl, CONNECTIONS)
  const operationIds = operations.map(({ operation }) => operation.operationId)
  const seen = createTally(operationIds)
  const isEnough = () => seen.faultCount() >= options.faultsEnough

  const send = async (drawn: FuzzRequest, check: CheckAnswer) => {
    const request = (await target.dress?.(drawn)) ?? drawn
    seen.countRequest()
    const fault = await sender.send(request).then(
      (answer) => {
        seen.countAnswer(request, answer)
        if (target.secret !== undefined && answer.body.includes(target.secret))
          return `the answer holds what is another's: ${answer.body.toString()}`
        if (answer.status < 300) learn(target, request, answer)
        return check(request, answer)
      },
      (error: unknown) => `no answer: ${String(error)}`,
    )
    if (fault !== undefined) seen.countFault(request, fault)
  }

  try {
    const walked = Array.from({ length: ROUNDS }, () => stations).flat()
    const count = Math.ceil(options.requestsPerOperation / ROUNDS)
    for (const [index, { it, requests, check }] of walked.entries()) {
      if (isEnough()) break
      await options.onProgress?.(index / walked.length)
      if (it.method === 'DELETE') await target.refill?.(Math.ceil(count / REQUESTS_FOR_A_RECORD))
      const seed = options.seed + index * 1_000_003
      await walk(requests.mixed, { count, seed }, (request) => send(request, check))
    }
    for (const { it, requests, check } of stations) {
      const isUnproved = () => !isEnough() && !seen.hasAnswered(it.operation.operationId)
      if (isUnproved()) await target.refill?.(RECORDS_FOR_MORE)
      for (let sent = 0; sent < MOST_MORE_VALID && isUnproved(); sent += BATCH_SIZE) {
        const drawn = { count: BATCH_SIZE, seed: options.seed + sent }
        await walk(requests.valid, drawn, (request) => send(request, check))
      }
    }
    await options.onProgress?.(1)
  } finally {
    sender.close()
  }
  return { operationIds, ...seen.result() }
}

const methodOrder = ['POST', 'PUT', 'PATCH', 'GET', 'DELETE']

/** Records are made first and deleted last, a part before its whole, so that all others meet some. */
function inUsefulOrder(operations: readonly FuzzOperation[]): FuzzOperation[] {
  const place = ({ method }: FuzzOperation) => methodOrder.indexOf(method)
  const depth = ({ path }: FuzzOperation) => path.split('/').length
  return operations.toSorted((a, b) => place(a) - place(b) || depth(b) - depth(a))
}

/** Batches are drawn as they are sent, so that a long walk holds little and knows what it has just made. */
async function walk(
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

/** A hostile request may have gone elsewhere than its path was meant for. */
function learn({ known }: RequestSource, { kind, params }: FuzzRequest, answer: WireAnswer): void {
  known?.learn(jsonOf(answer), kind === 'hostile' ? {} : params)
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
    /** A valid request had success, or was told that there is nothing behind it. */
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
      // Of each kind: what is wrong with valid requests is the worst.
      const key = `${request.operationId} ${request.kind}`
      const told = faults.get(key) ?? []
      if (told.length < FAULTS_TOLD_PER_OPERATION) faults.set(key, [...told, describe(request, fault)])
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
