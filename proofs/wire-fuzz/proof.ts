import { operationList } from '@continuity/contract'
import { round } from '@continuity/dev/figures'
import { interfaceOperations } from '../../e2e/api/interface-list.ts'
import { proof } from '../proof.ts'
import { exampleTarget, startExampleApi } from './example-api.ts'
import { type AnswerCounts, type FuzzOptions, type FuzzResult, fuzz } from './fuzz.ts'
import { fuzzRealApi } from './real-api.ts'

/** Not counted from the documents, so that one that lost an operation is noticed. */
const LISTED =
  operationList.filter(({ ours }) => ours === true).length +
  interfaceOperations.reduce((sum, { aliases = [] }) => sum + 1 + aliases.length, 0)

export const wireFuzz = proof({
  name: 'wire-fuzz',
  title: 'The HTTP API under random requests',
  promise:
    'Valid, near-valid and hostile requests, drawn from the OpenAPI documents, are sent to every operation: first to ' +
    'the HTTP layer with each operation answered by its example, then to a real API process with its database, whose ' +
    'records they read, change and delete. The examples accept every valid request. The process answers a valid one ' +
    'with success or with an error that its operation declares, and each operation that is implemented succeeds at ' +
    'least once. Every request is answered; every error is a valid problem document with a declared code, every ' +
    'success matches its schema, none is a 500 or a 503, no answer contains a record of another account, the process ' +
    'does not crash and its memory does not grow.',
  // In the small run the heap is still growing to its usual size.
  sizes: {
    small: { requestsPerOperation: 10, faultsEnough: 3, memoryGrowth: 3 },
    full: { requestsPerOperation: 5_000, faultsEnough: 200, memoryGrowth: 1.25 },
  },
  async run({ size, seed, log }) {
    const examples = await fuzzExamples({ ...size, seed })
    logFaults(log, 'answered by examples', examples)
    const { result: real, ...process } = await fuzzRealApi({ ...size, seed: seed + 1 }, log)
    logFaults(log, 'real process', real)
    const { wronglyNotBuilt, unproved } = compareWithTable(real)
    if (wronglyNotBuilt.length > 0) log(`answered 501 although implemented: ${wronglyNotBuilt.join(', ')}`)
    if (unproved.length > 0) log(`never succeeded: ${unproved.join(', ')}`)
    const { memoryMb } = process

    return {
      figures: {
        seed,
        operations: real.operationIds.length,
        operations_built: real.operationIds.length - real.notBuilt.size,
        implemented_and_answered_501: wronglyNotBuilt.length,
        implemented_without_success: unproved.length,
        requests: real.requests + examples.requests,
        answers_of_the_process_fewest_of_an_operation: fewest(real, ({ all }) => all),
        answers_of_the_examples_fewest_of_an_operation: fewest(examples, ({ all }) => all),
        answers_to_valid_requests_fewest_of_an_operation: fewest(real, (it) => it.ofValidRequests),
        successes_of_the_process: sum(real, ({ successes }) => successes),
        problems_of_the_process: sum(real, ({ problems }) => problems),
        faults: real.faultCount + examples.faultCount,
        examples_not_built: examples.notBuilt.size,
        records_of_another_account: process.hiddenRecords,
        processes_that_ended: process.isAlive ? 0 : 1,
        memory_first_round_mb: round(memoryMb.first, 0),
        memory_last_round_mb: round(memoryMb.last, 0),
        memory_growth_ratio: round(memoryMb.last / memoryMb.first, 2),
        statuses_of_examples: statusesOf(examples),
        statuses_of_process: statusesOf(real),
      },
      targets: {
        operations: { is: LISTED },
        implemented_and_answered_501: { is: 0 },
        implemented_without_success: { is: 0 },
        answers_of_the_process_fewest_of_an_operation: { atLeast: size.requestsPerOperation },
        answers_of_the_examples_fewest_of_an_operation: { atLeast: size.requestsPerOperation },
        // A third are drawn as valid.
        answers_to_valid_requests_fewest_of_an_operation: {
          atLeast: Math.floor(size.requestsPerOperation / 10),
        },
        successes_of_the_process: { atLeast: LISTED * size.requestsPerOperation * 0.1 },
        problems_of_the_process: { atLeast: LISTED * size.requestsPerOperation * 0.1 },
        faults: { is: 0 },
        examples_not_built: { is: 0 },
        records_of_another_account: { atLeast: 10 },
        processes_that_ended: { is: 0 },
        memory_growth_ratio: { atMost: size.memoryGrowth },
      },
    }
  },
})

async function fuzzExamples(options: FuzzOptions): Promise<FuzzResult> {
  const { baseUrl, close } = await startExampleApi()
  try {
    return await fuzz(exampleTarget(baseUrl), options)
  } finally {
    await close()
  }
}

/** Every operation is implemented. */
const compareWithTable = ({ operationIds, notBuilt, succeeded }: FuzzResult) => ({
  wronglyNotBuilt: [...notBuilt],
  unproved: operationIds.filter((id) => !succeeded.has(id)),
})

function logFaults(
  log: (line: string) => void,
  where: string,
  { requests, faultCount, faults }: FuzzResult,
): void {
  log(`${where}: ${requests} requests, ${faultCount} faults`)
  for (const fault of faults.slice(0, MOST_FAULTS_LOGGED)) log(fault)
}

const MOST_FAULTS_LOGGED = 10

const sum = ({ answers }: FuzzResult, of: (counts: AnswerCounts) => number) =>
  [...answers.values()].reduce((total, counts) => total + of(counts), 0)

const fewest = ({ answers }: FuzzResult, of: (counts: AnswerCounts) => number) =>
  Math.min(...[...answers.values()].map(of))

function statusesOf({ byStatus }: FuzzResult): string {
  return [...byStatus]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}
