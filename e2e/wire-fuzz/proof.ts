import { median, round } from '../../tools/figures/figures.ts'
import { credentialHeaders, everyRole } from '../credential-headers.ts'
import { proof } from '../proofs/proof.ts'
import { startTestSystem } from '../test-system.ts'
import { exampleCredential, startExampleApi } from './example-api.ts'
import { type FuzzResult, fuzz } from './fuzz.ts'

export const wireFuzz = proof({
  name: 'wire-fuzz',
  title: 'The wire under random requests',
  promise:
    'Valid, near-valid and hostile requests, drawn from the OpenAPI documents, to every operation of a real API ' +
    'process and of the same wire with every operation answered by its example. No valid request is refused, every ' +
    'error is a valid problem, every success is valid against its schema, nothing is a 500, the process does not ' +
    'end and its memory stays flat.',
  // In the small run the heap is still finding its size.
  sizes: {
    small: { requestsPerOperation: 100, memoryGrowth: 3 },
    full: { requestsPerOperation: 5_000, memoryGrowth: 1.25 },
  },
  async run({ size, seed, say }) {
    const examples = await fuzzExamples(size.requestsPerOperation, seed)
    tell(say, 'answered by examples', examples)
    const { result: real, memory, isAlive } = await fuzzRealApi(size.requestsPerOperation, seed, say)
    tell(say, 'real process', real)

    return {
      figures: {
        seed,
        operations: real.operations,
        requests_per_operation: size.requestsPerOperation,
        requests: real.requests + examples.requests,
        valid_requests: real.validRequests + examples.validRequests,
        faults: real.faultCount + examples.faultCount,
        examples_not_built: examples.byStatus.get(501) ?? 0,
        processes_that_ended: isAlive ? 0 : 1,
        memory_first_quarter_mb: round(memory.first, 0),
        memory_last_quarter_mb: round(memory.last, 0),
        memory_growth_ratio: round(memory.last / memory.first, 2),
        statuses: statusesOf(real, examples),
      },
      targets: {
        faults: { is: 0 },
        examples_not_built: { is: 0 },
        processes_that_ended: { is: 0 },
        requests_per_operation: { atLeast: size.requestsPerOperation },
        memory_growth_ratio: { atMost: size.memoryGrowth },
      },
    }
  },
})

async function fuzzExamples(requestsPerOperation: number, seed: number): Promise<FuzzResult> {
  const api = await startExampleApi()
  try {
    return await fuzz({ baseUrl: api.baseUrl, credential: exampleCredential, requestsPerOperation, seed })
  } finally {
    await api.close()
  }
}

async function fuzzRealApi(requestsPerOperation: number, seed: number, say: (line: string) => void) {
  await using system = await startTestSystem({ LOG_LEVEL: 'error' })
  const { baseUrl } = system
  const samples: number[] = []
  const result = await fuzz({
    baseUrl,
    credential: await credentialHeaders(system.credentialKeysFile, everyRole, Date.now()),
    requestsPerOperation,
    seed: seed + 1,
    onProgress: async (share) => {
      samples.push(await residentMegabytes(baseUrl))
      if (samples.length % 10 === 0)
        say(`${Math.round(share * 100)} %, ${Math.round(samples.at(-1) ?? 0)} MB`)
    },
  })
  const isAlive = await fetch(`${baseUrl}/livez`).then(
    ({ status }) => status === 200,
    () => false,
  )
  const quarter = Math.max(1, samples.length >> 2)
  return {
    result,
    isAlive,
    memory: { first: median(samples.slice(0, quarter)), last: median(samples.slice(-quarter)) },
  }
}

function tell(
  say: (line: string) => void,
  where: string,
  { requests, faultCount, faults }: FuzzResult,
): void {
  say(`${where}: ${requests} requests, ${faultCount} faults`)
  for (const fault of faults) say(fault)
}

function statusesOf(...results: readonly FuzzResult[]): string {
  const all = new Map<number, number>()
  for (const { byStatus } of results) {
    for (const [status, count] of byStatus) all.set(status, (all.get(status) ?? 0) + count)
  }
  return [...all]
    .toSorted(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ')
}

/** Memory that the process says it holds. */
async function residentMegabytes(baseUrl: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
  const bytes = /^process_resident_memory_bytes (\d+)/m.exec(metrics)?.[1]
  return Number(bytes) / 2 ** 20
}
