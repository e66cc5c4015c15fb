import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { startApi } from '@continuity/dev/api-process'
import { type Child, waitUntilReady } from '@continuity/dev/child-process'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import type { NatsUrls } from '@continuity/dev/nats-users'
import { startPlayout } from '@continuity/dev/playout-process'
import { startWorker } from '@continuity/dev/worker-process'
import type { IngestSystem } from '../ingest/ingest-system.ts'
import { killAtOnce } from './playout-node.ts'

/** A process whose clock is off by a constant. It may never be ready, so its address is read from its log. */
export interface SkewedProcess {
  readonly role: 'api' | 'worker' | 'playout'
  readonly skewMs: number
  readonly url: string
  readonly instance: string
  kill(): Promise<void>
}

export interface SkewedOptions {
  readonly system: IngestSystem
  readonly natsUrls: NatsUrls
  readonly settings: Readonly<Record<string, string>>
}

const LISTENING_MS = 30_000

export async function startSkewed(
  opened: AsyncDisposableStack,
  { system, natsUrls, settings }: SkewedOptions,
  {
    role,
    name,
    skewMs,
  }: { readonly role: SkewedProcess['role']; readonly name: string; readonly skewMs: number },
): Promise<SkewedProcess> {
  const home = join(system.home, name)
  await mkdir(join(home, 'logs'), { recursive: true })
  const own = { ...settings, MEDIA_STORE: system.mediaFolder, CLOCK_SKEW_MS: `${skewMs}` }
  const natsUrl = natsUrls[role === 'playout' ? 'playout_2' : role]
  const options = { home, natsUrl, settings: own, databaseUrl: system.postgres().url }
  const child = await startRole(role, options, system)
  opened.defer(() => child.stop())
  const { url, instance } = await waitUntilReady(child, () => findListening(child), LISTENING_MS)
  return { role, skewMs, url, instance, kill: () => killAtOnce(child) }
}

interface RoleOptions {
  readonly home: string
  readonly natsUrl: string
  readonly databaseUrl: string
  readonly settings: Readonly<Record<string, string>>
}

async function startRole(
  role: SkewedProcess['role'],
  options: RoleOptions,
  system: IngestSystem,
): Promise<Child> {
  if (role === 'worker') return startWorker(options)
  if (role === 'playout') return startPlayout(options)
  return startApi({ ...options, port: 0, credentialKeysFile: await ensureCredentialKeys(system.home) })
}

/** The first log line with an address. */
async function findListening(
  child: Child,
): Promise<{ readonly url: string; readonly instance: string } | undefined> {
  const text = await readFile(child.logFile, 'utf8')
  const line = text.split('\n').find((it) => it.includes('"msg":"listening"'))
  return line === undefined ? undefined : (JSON.parse(line) as { url: string; instance: string })
}
