import { chmod, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startApi } from '@continuity/dev/api-process'
import type { Child } from '@continuity/dev/child-process'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { makeHome } from '@continuity/dev/make-home'
import { waitForNode } from '@continuity/dev/node-process'
import { type PrivateNatsCluster, startPrivateNatsCluster } from '@continuity/dev/private-nats-cluster'
import { type PrivatePostgres, startPrivatePostgres } from '@continuity/dev/private-postgres'
import { openSql, type Sql } from '@continuity/dev/sql'
import { temporaryFolder } from '@continuity/dev/temporary-folder'
import { startWorker } from '@continuity/dev/worker-process'
import { migrateSchema, openOwner } from '@continuity/server/owner'

/** PostgreSQL and NATS, both of which can be killed and started again at their ports. */
export interface Site {
  readonly home: string
  readonly nats: PrivateNatsCluster
  readonly postgres: () => PrivatePostgres
  startPostgresAgain(): Promise<void>
  /** As the superuser, who sees the rows of every account. */
  readonly sql: Sql
  /** Creates an account of that name with users who may do everything; returns their logins. */
  addAccount(name: string, options?: AccountOptions): Promise<[Login, ...Login[]]>
  startApi(options: ApiOptions): Promise<Running>
  startWorker(options: ProcessOptions): Promise<Running>
  /** The folder of a process, with its logs; the same again under the same name. */
  folderOf(name: string): Promise<string>
  ready(child: Child): Promise<Running>
}

export interface ProcessOptions {
  readonly name: string
  readonly settings?: Readonly<Record<string, string>>
  /** The folder of another release, whose sources are run. */
  readonly project?: string | undefined
}

interface AccountOptions {
  /** One by default. */
  readonly users?: number
  readonly title?: string
  readonly frame_rate?: 25 | 30
  readonly segment_ms?: 3_200 | 6_400
}

export interface Login {
  readonly account_name: string
  readonly email: string
  readonly password: string
}

interface ApiOptions extends ProcessOptions {
  readonly port?: number
  /** Of a link to the database; by default the database itself. */
  readonly databaseUrl?: string
}

export interface Running {
  readonly child: Child
  readonly url: string
}

/** With the schema of this release, or with an empty database; with one NATS server, or with more that are one. */
export async function startSite(
  opened: AsyncDisposableStack,
  { hasSchema = true, natsServers = 1 } = {},
): Promise<Site> {
  const home = await temporaryFolder(opened)
  // Where root runs it, PostgreSQL and nginx run as other users, who must be able to enter.
  await chmod(home, 0o711)
  await makeHome(home)
  const servers = { home, searchPath: process.env['PATH'] ?? '', log: () => {} }
  const [port] = await findLastingPorts()
  const startPostgres = () => startPrivatePostgres({ ...servers, binDir: process.env['PG_BIN_DIR'], port })
  let postgres = await startPostgres()
  opened.defer(() => postgres.stop())
  if (hasSchema) await migrateSchema(postgres.ownerUrl, { nowMs: Date.now() })
  const nats = await startPrivateNatsCluster({ ...servers, size: natsServers })
  opened.defer(() => nats.stop())
  const sql = openSql(Object.assign(new URL(postgres.ownerUrl), { username: 'postgres' }).href)
  opened.defer(() => sql.close())
  const credentialKeysFile = await ensureCredentialKeys(home)

  const folderOf = async (name: string) => {
    await mkdir(join(home, name, 'logs'), { recursive: true })
    return join(home, name)
  }
  const ready = async (child: Child) => {
    opened.defer(() => child.stop())
    return { child, url: await waitForNode(child) }
  }
  return {
    home,
    nats,
    sql,
    postgres: () => postgres,
    async addAccount(name, { users = 1, title = `The ${name} account`, frame_rate, segment_ms } = {}) {
      const owner = openOwner(postgres.ownerUrl, Date.now())
      await owner.createAccount({ account_name: name, title, country: undefined, frame_rate, segment_ms })
      const roles = ['ROLE_USER', 'ROLE_ADMIN', 'ROLE_OPERATOR', 'SCHEDULE'] as const
      const logins: Login[] = []
      for (let i = 0; i < users; i += 1) {
        const user = { email: `user-${i}@${name}.example`, password: 'the tide is out today' }
        await owner.createUser(name, { ...user, name: `User ${i}`, roles: [...roles] })
        logins.push({ account_name: name, ...user })
      }
      await owner.close()
      return logins as [Login, ...Login[]]
    },
    async startPostgresAgain() {
      postgres = await startPostgres()
    },
    startApi: async ({ name, port = 0, databaseUrl = postgres.url, settings = {}, project }) =>
      ready(
        await startApi({
          home: await folderOf(name),
          port,
          databaseUrl,
          natsUrl: nats.urls.api,
          credentialKeysFile,
          settings,
          project,
        }),
      ),
    startWorker: async ({ name, settings = {}, project }) =>
      ready(
        await startWorker({
          home: await folderOf(name),
          databaseUrl: postgres.url,
          natsUrl: nats.urls.worker,
          settings,
          project,
        }),
      ),
    folderOf,
    ready,
  }
}
