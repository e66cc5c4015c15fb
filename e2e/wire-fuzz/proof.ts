import { round } from '../../tools/figures/figures.ts'
import { proof } from '../proofs/proof.ts'
import { exampleTarget, startExampleApi } from './example-api.ts'
import { type FuzzResult, fuzz } from './fuzz.ts'
import { fuzzRealApi } from './real-api.ts'

export const wireFuzz = proof({
  name: 'wire-fuzz',
  title: 'The wire under random requests',
  promise:
    'Valid, near-valid and hostile requests, drawn from the OpenAPI documents, to every operation of the wire with ' +
    'each answered by its example, and of a real API process with its database, whose records they read, change and ' +
    'delete. The examples refuse no valid request. The process answers a valid one with success or with a refusal ' +
    'that its operation declares, and each operation that is built had success. Every error is a valid problem with a ' +
    'declared code, every success is valid against its schema, nothing is a 500 or a 503, no answer shows a record of ' +
    'another account, the process does not end and its memory stays flat.',
  // In the small run the heap is still finding its size.
  sizes: {
    small: { requestsPerOperation: 100, memoryGrowth: 3 },
    full: { requestsPerOperation: 5_000, memoryGrowth: 1.25 },
  },
  async run({ size, seed, say }) {
    const examples = await fuzzExamples(size.requestsPerOperation, seed)
    tell(say, 'answered by examples', examples)
    const { result: real, memoryMb, isAlive } = await fuzzRealApi(size.requestsPerOperation, seed + 1, say)
    tell(say, 'real process', real)
    const unproved = withoutSuccess(real)

    return {
      figures: {
        seed,
        operations: real.operationIds.length,
        operations_built: real.operationIds.length - real.notBuilt.size,
        built_without_success: unproved.length,
        which_without_success: unproved.join(', ') || 'none',
        requests_per_operation: size.requestsPerOperation,
        requests: real.requests + examples.requests,
        valid_requests: real.validRequests + examples.validRequests,
        faults: real.faultCount + examples.faultCount,
        examples_not_built: examples.notBuilt.size,
        processes_that_ended: isAlive ? 0 : 1,
        memory_first_round_mb: round(memoryMb.first, 0),
        memory_last_round_mb: round(memoryMb.last, 0),
        memory_growth_ratio: round(memoryMb.last / memoryMb.first, 2),
        statuses_of_examples: statusesOf(examples),
        statuses_of_process: statusesOf(real),
      },
      targets: {
        faults: { is: 0 },
        built_without_success: { is: 0 },
        examples_not_built: { is: 0 },
        processes_that_ended: { is: 0 },
        requests_per_operation: { atLeast: size.requestsPerOperation },
        memory_growth_ratio: { atMost: size.memoryGrowth },
      },
    }
  },
})

async function fuzzExamples(requestsPerOperation: number, seed: number): Promise<FuzzResult> {
  const { baseUrl, close } = await startExampleApi()
  try {
    return await fuzz(exampleTarget(baseUrl), { requestsPerOperation, seed })
  } finally {
    await close()
  }
}

function withoutSuccess({ operationIds, notBuilt, succeeded }: FuzzResult): string[] {
  return operationIds.filter((id) => !notBuilt.has(id) && !succeeded.has(id))
}

function tell(
  say: (line: string) => void,
  where: string,
  { requests, faultCount, faults }: FuzzResult,
): void {
  say(`${where}: ${requests} requests, ${faultCount} faults`)
  for (const fault of faults) say(fault)
}

function statusesOf({ byStatus }: FuzzResult): string {
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
