import type { IngestSystem } from '../ingest/ingest-system.ts'
import { type Endpoint, startEndpoint, startSilentEndpoint } from './endpoints.ts'
import { openStation, type Station } from './station.ts'

const LATE_MS = 30_000

export interface BadEndpoints {
  readonly all: readonly Endpoint[]
  /** The target of redirects. It is on this machine, and must get no requests. */
  readonly inner: Endpoint
}

/** One that takes 30 s, one that answers 500, one that redirects to an internal address and one that never reads. */
export async function startBadEndpoints(opened: AsyncDisposableStack): Promise<BadEndpoints> {
  const inner = opened.use(await startEndpoint((_, response) => response.end()))
  const late = opened.use(
    await startEndpoint((_, response) => void setTimeout(() => response.end(), LATE_MS).unref()),
  )
  const broken = opened.use(await startEndpoint((_, response) => response.writeHead(500).end('no')))
  const redirecting = opened.use(
    await startEndpoint((_, response) => response.writeHead(307, { location: inner.url }).end()),
  )
  const silent = opened.use(await startSilentEndpoint())
  return { all: [late, silent, broken, redirecting], inner }
}

/** Accounts with bad endpoints only, most of which block a connection for long. */
export async function openBadStations(
  system: IngestSystem,
  { all }: BadEndpoints,
  { accounts, webhooks }: { readonly accounts: number; readonly webhooks: number },
): Promise<readonly Station[]> {
  const [late, silent, broken, redirecting] = all as readonly [Endpoint, Endpoint, Endpoint, Endpoint]
  const mixed = [late, silent, late, broken, late, silent, late, redirecting]
  const stations: Station[] = []
  for (let i = 0; i < accounts; i += 1) {
    const station = await openStation(system, `bad-${i}`, 2)
    for (let n = 0; n < webhooks; n += 1) await station.addWebhook(mixed[n % mixed.length]!.url)
    stations.push(station)
  }
  return stations
}
