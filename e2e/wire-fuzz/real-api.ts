import fc from 'fast-check'
import pg from 'pg'
import { openBus } from '../../packages/server/src/platform/bus.ts'
import { ensureLiveStreams } from '../../packages/server/src/platform/live-bus/live-streams.ts'
import { createLog } from '../../packages/server/src/platform/logger.ts'
import { median } from '../../tools/figures/figures.ts'
import { startTestSystem, type TestSystem } from '../test-system.ts'
import { type FuzzOptions, type FuzzResult, fuzz, ROUNDS } from './fuzz.ts'
import { openWalkedAccounts } from './walked-accounts.ts'

export interface RealFuzz {
  readonly result: FuzzResult
  /** The process that was started at first still answers. */
  readonly isAlive: boolean
  readonly hiddenRecords: number
  /** In the second half of the first round, and of the last: the same operations, in the same order. */
  readonly memoryMb: { readonly first: number; readonly last: number }
}

/**
 * The process believes what the walk says of its address, so that the limits
 * of logins are met now and then and not for good. It is never too busy for
 * us: on a crowded machine that would say nothing about the process.
 */
const SETTINGS = { LOG_LEVEL: 'error', TRUSTED_PROXIES: '127.0.0.1', MAX_EVENT_LOOP_DELAY_MS: '60000' }
const ADDRESSES = 60

/** Walks a real process with its database, as a user of an account that has records. */
export async function fuzzRealApi(
  options: Pick<FuzzOptions, 'requestsPerOperation' | 'seed' | 'faultsEnough'>,
  say: (line: string) => void,
): Promise<RealFuzz> {
  await using opened = new AsyncDisposableStack()
  const system = opened.use(await startTestSystem(SETTINGS))
  opened.use(await standInForWorker(system))
  const { baseUrl, databaseOwnerUrl } = system
  const { credential, hiddenRecords, ...accounts } = await openWalkedAccounts(baseUrl, databaseOwnerUrl)
  const senders = fc
    .integer({ min: 1, max: ADDRESSES })
    .map((number) => ({ ...credential, 'x-forwarded-for': `198.51.100.${number}` }))
  const samplesMb: number[] = []
  const onProgress = async (share: number) => {
    // A process that has ended is counted in the end; until then its requests fail one by one.
    const bytes = await readMetric(baseUrl, 'process_resident_memory_bytes').catch(() => Number.NaN)
    samplesMb.push(bytes / 2 ** 20)
    if (samplesMb.length % 10 === 0)
      say(`${Math.round(share * 100)} %, ${Math.round(samplesMb.at(-1) ?? 0)} MB`)
  }

  const target = { baseUrl, senders, refusals: 'declared', ...accounts } as const
  const startedMs = performance.now()
  const result = await fuzz(target, { ...options, onProgress })

  const walkedSeconds = (performance.now() - startedMs) / 1_000
  const uptimeSeconds = await readMetric(baseUrl, 'process_uptime_seconds').catch(() => 0)
  const isAlive = uptimeSeconds > walkedSeconds
  return { result, isAlive, hiddenRecords, memoryMb: compareRounds(samplesMb) }
}

/** What workers and receivers do for live sources: there are streams, and what is ordered comes about. */
async function standInForWorker({ natsUrls, databaseOwnerUrl }: TestSystem): Promise<AsyncDisposable> {
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const bus = openBus(natsUrls.worker, { name: 'proof', logger })
  await bus.opened
  await ensureLiveStreams(bus.connection()!, 1)
  const owner = new pg.Client({ connectionString: databaseOwnerUrl })
  await owner.connect()
  const order = `update live_sources set state = case state when 'ACTIVATING' then 'ACTIVE' else 'IDLE' end
                  where state in ('ACTIVATING', 'DEACTIVATING')`
  const working = setInterval(() => void owner.query(order).catch(() => {}), SOURCES_MS)
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(working)
      await owner.end()
      await bus.close()
    },
  }
}

const SOURCES_MS = 100

function compareRounds(samplesMb: readonly number[]): RealFuzz['memoryMb'] {
  const roundLength = samplesMb.length / ROUNDS
  const half = Math.floor(roundLength / 2)
  const firstRound = samplesMb.slice(0, Math.floor(roundLength))
  return { first: median(firstRound.slice(-half)), last: median(samplesMb.slice(-half)) }
}

async function readMetric(baseUrl: string, name: string): Promise<number> {
  const metrics = await (await fetch(`${baseUrl}/metrics`)).text()
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(metrics)?.[1])
}
