import { mkdir, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '@continuity/dev/api-process'
import type { Child } from '@continuity/dev/child-process'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { makeHome } from '@continuity/dev/make-home'
import { waitForNode } from '@continuity/dev/node-process'
import { startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { type PrivatePostgres, startPrivatePostgres } from '@continuity/dev/private-postgres'
import { removeHome } from '@continuity/dev/remove-home'
import { startWorker } from '@continuity/dev/worker-process'
import { migrateSchema } from '@continuity/server/owner'
import { type Database, openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { createAccount, openSession } from '../ingest/ingest-system.ts'
import { killAtOnce } from '../on-air/playout-node.ts'

export type Part = 'api' | 'worker' | 'nats' | 'postgres'

export interface EventSystem {
  /** Addresses of two API processes, kept across restarts. */
  readonly urls: readonly [string, string]
  /** Connected as the superuser, who sees the rows of every account. */
  readonly database: Database
  /** Opens a session of one of two accounts. */
  logIn(account: 'north' | 'south'): Promise<Readonly<Record<string, string>>>
  /** Kills by SIGKILL; one of the two API processes. */
  kill(part: Part, turn: number): Promise<void>
  startAgain(part: Part, turn: number): Promise<void>
  /** Resident memory of the first API process, in MiB. */
  apiMemory(): Promise<number>
}

const loginOf = (account: string) => ({
  account_name: account,
  email: `admin@${account}.example`,
  password: `the wind is in the ${account}`,
})

/** Starts PostgreSQL, NATS, two API processes and a worker; `opened` stops them. */
export async function startEventSystem(opened: AsyncDisposableStack): Promise<EventSystem> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-events-'))
  opened.defer(() => removeHome(home))
  await makeHome(home)
  const [databasePort, ...apiPorts] = await findLastingPorts()
  const servers = { home, searchPath: process.env['PATH'] ?? '', log: () => {} }
  const startPostgres = () =>
    startPrivatePostgres({ ...servers, binDir: process.env['PG_BIN_DIR'], port: databasePort })
  let postgres: PrivatePostgres = await startPostgres()
  opened.defer(() => postgres.stop())
  const nats = await startPrivateNatsCluster({ ...servers, size: 1 })
  opened.defer(() => nats.stop())
  await migrateSchema(postgres.ownerUrl, { nowMs: Date.now() })
  for (const account of ['north', 'south'])
    await createAccount(postgres.ownerUrl, loginOf(account), `The ${account}`)
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  const superuserUrl = Object.assign(new URL(postgres.ownerUrl), { username: 'postgres' }).href
  const database = openDatabase(superuserUrl, { connections: 2, logger, patience: 8 })
  opened.defer(() => database.close())
  const credentialKeysFile = await ensureCredentialKeys(home)

  const ready = async (child: Child) => {
    opened.defer(() => child.stop())
    await waitForNode(child)
    return child
  }
  const folderOf = async (name: string) => {
    await mkdir(join(home, name, 'logs'), { recursive: true })
    return join(home, name)
  }
  const startAnApi = async (at: number) =>
    ready(
      await startApi({
        home: await folderOf(`api-${at}`),
        port: apiPorts[at]!,
        databaseUrl: postgres.url,
        natsUrl: nats.urls.api,
        credentialKeysFile,
        // A busy machine is slow; the API must not reject requests because of that.
        settings: { MAX_EVENT_LOOP_DELAY_MS: '10000' },
      }),
    )
  const startAWorker = async () =>
    ready(
      await startWorker({
        home: await folderOf('worker'),
        databaseUrl: postgres.url,
        natsUrl: nats.urls.worker,
        settings: {},
      }),
    )
  const apis = [await startAnApi(0), await startAnApi(1)]
  let worker = await startAWorker()
  const urls = apiPorts.map((port) => `http://127.0.0.1:${port}`) as [string, string]

  return {
    urls,
    database,
    logIn: async (account) => (await openSession(urls[0], loginOf(account))).headers,
    async kill(part, turn) {
      if (part === 'api') await killAtOnce(apis[turn % 2]!)
      if (part === 'worker') await killAtOnce(worker)
      if (part === 'nats') await nats.servers[0]!.kill()
      if (part === 'postgres') await killAtOnce(postgres.child)
    },
    async startAgain(part, turn) {
      if (part === 'api') apis[turn % 2] = await startAnApi(turn % 2)
      if (part === 'worker') worker = await startAWorker()
      if (part === 'nats') await nats.servers[0]!.start()
      if (part === 'postgres') postgres = await startPostgres()
    },
    async apiMemory() {
      const status = await readFile(`/proc/${apis[0]!.pid}/status`, 'utf8')
      return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)![1]) / 1_024)
    },
  }
}
