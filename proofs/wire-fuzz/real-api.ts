import { median } from '@continuity/dev/figures'
import { startTestSystem, type TestSystem } from '@continuity/dev/test-system'
import fc from 'fast-check'
import pg from 'pg'
import { openBus } from '../../packages/server/src/platform/bus/bus.ts'
import { ensureLiveStreams } from '../../packages/server/src/platform/live-bus/live-streams.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { type FuzzOptions, type FuzzResult, fuzz, ROUNDS } from './fuzz.ts'
import { openFuzzAccounts } from './fuzz-accounts.ts'

export interface RealFuzz {
  readonly result: FuzzResult
  /** The process answers and was not restarted. */
  readonly isAlive: boolean
  readonly hiddenRecords: number
  /** In the second half of the first round, and of the last: the same operations, in the same order. */
  readonly memoryMb: { readonly first: number; readonly last: number }
}

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
}
const ADDRESSES = 60

/** Sends random requests to a real process with its database, as a user of an account that has records. */
export async function fuzzRealApi(
  options: Pick<FuzzOptions, 'requestsPerOperation' | 'seed' | 'faultsEnough'>,
  log: (line: string) => void,
): Promise<RealFuzz> {
  await using opened = new AsyncDisposableStack()
  const system = opened.use(await startTestSystem(SETTINGS))
  opened.use(await standInForWorker(system))
  const { baseUrl, databaseOwnerUrl } = system
  const { credential, hiddenRecords, ...accounts } = await openFuzzAccounts(baseUrl, databaseOwnerUrl)
  const senders = fc
    .integer({ min: 1, max: ADDRESSES })
    .map((number) => ({ ...credential, 'x-forwarded-for': `198.51.100.${number}` }))
  const samplesMb: number[] = []
  const onProgress = async (share: number) => {
    // A process that exited is counted at the end.
    const bytes = await readMetric(baseUrl, 'process_resident_memory_bytes').catch(() => Number.NaN)
    samplesMb.push(bytes / 2 ** 20)
    if (samplesMb.length % 10 === 0)
      log(`${Math.round(share * 100)} %, ${Math.round(samplesMb.at(-1) ?? 0)} MB`)
  }

  const target = { baseUrl, senders, rejections: 'declared', ...accounts } as const
  const startedMs = performance.now()
  const result = await fuzz(target, { ...options, onProgress })

  const tookSeconds = (performance.now() - startedMs) / 1_000
  const uptimeSeconds = await readMetric(baseUrl, 'process_uptime_seconds').catch(() => 0)
  const isAlive = uptimeSeconds > tookSeconds
  return { result, isAlive, hiddenRecords, memoryMb: compareRounds(samplesMb) }
}

/** Stands in for workers and receivers: creates the live streams, and activates live sources on request. */
async function standInForWorker({ natsUrls, databaseOwnerUrl }: TestSystem): Promise<AsyncDisposable> {
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const bus = openBus(natsUrls.worker, { name: 'proof', logger })
  await bus.opened
  await ensureLiveStreams(bus.connection()!, 1)
  const owner = new pg.Client({ connectionString: databaseOwnerUrl })
  await owner.connect()
  const settle = `update live_sources set state = case state when 'ACTIVATING' then 'ACTIVE' else 'IDLE' end
                  where state in ('ACTIVATING', 'DEACTIVATING')`
  const working = setInterval(() => void owner.query(settle).catch(() => {}), SOURCES_MS)
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
