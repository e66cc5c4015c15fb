import { openApiDocument } from '@continuity/contract'
import fc from 'fast-check'
import { type CheckAnswer, compileAnswerCheck } from './check-answer.ts'
import { type FuzzOperation, type FuzzRequest, operationsOf, requestsTo } from './request-arbitrary.ts'
import { createSender } from './wire-request.ts'

export interface FuzzOptions {
  readonly baseUrl: string
  readonly credential: Readonly<Record<string, string>>
  readonly requestsPerOperation: number
  readonly seed: number
  /** Called now and then, with the share that is done. */
  onProgress?(share: number): Promise<void> | void
}

export interface FuzzResult {
  readonly operations: number
  readonly requests: number
  readonly validRequests: number
  readonly byStatus: ReadonlyMap<number, number>
  readonly faultCount: number
  /** The first faults of each operation, in words. */
  readonly faults: readonly string[]
}

const CONNECTIONS = 8
const FAULTS_TOLD_PER_OPERATION = 2

/** Walks every operation of both documents. */
export async function fuzz(options: FuzzOptions): Promise<FuzzResult> {
  const operations = [...operationsOf(openApiDocument('2.1')), ...operationsOf(openApiDocument('2.3'))]
  const sender = createSender(options.baseUrl, CONNECTIONS)
  const byStatus = new Map<number, number>()
  const faults = new Map<string, string[]>()
  let faultCount = 0
  let requests = 0
  let validRequests = 0

  const send = async (request: FuzzRequest, check: CheckAnswer) => {
    requests += 1
    if (request.kind === 'valid') validRequests += 1
    const fault = await sender.send(request).then(
      (answer) => {
        byStatus.set(answer.status, (byStatus.get(answer.status) ?? 0) + 1)
        return check(request, answer)
      },
      (error: unknown) => `no answer: ${String(error)}`,
    )
    if (fault === undefined) return
    faultCount += 1
    const told = faults.get(request.operationId) ?? []
    if (told.length < FAULTS_TOLD_PER_OPERATION)
      faults.set(request.operationId, [...told, describe(request, fault)])
  }

  try {
    for (const [index, it] of operations.entries()) {
      await options.onProgress?.(index / operations.length)
      await walk(it, index, options, send)
    }
    await options.onProgress?.(1)
  } finally {
    sender.close()
  }
  const told = [...faults.values()].flat()
  return { operations: operations.length, requests, validRequests, byStatus, faultCount, faults: told }
}

/** Batches are drawn as they are sent, so that a long walk holds little. */
async function walk(
  it: FuzzOperation,
  index: number,
  { requestsPerOperation, credential, seed }: FuzzOptions,
  send: (request: FuzzRequest, check: CheckAnswer) => Promise<void>,
): Promise<void> {
  const check = compileAnswerCheck(it)
  const arbitrary = requestsTo(it, credential)
  const batchSize = 100
  for (let done = 0; done < requestsPerOperation; done += batchSize) {
    const numRuns = Math.min(batchSize, requestsPerOperation - done)
    const batch = fc.sample(arbitrary, { numRuns, seed: seed + index * 1_000_003 + done })
    const queue = batch.values()
    await Promise.all(
      Array.from({ length: CONNECTIONS }, async () => {
        for (const request of queue) await send(request, check)
      }),
    )
  }
}

function describe({ kind, operationId, method, path, headers, body }: FuzzRequest, fault: string): string {
  const shown = JSON.stringify({
    method,
    path: path.slice(0, 300),
    headers,
    body: body?.toString().slice(0, 300),
  })
  return `${operationId}, ${kind}: ${fault.slice(0, 600)}\n    ${shown.slice(0, 1_200)}`
}
