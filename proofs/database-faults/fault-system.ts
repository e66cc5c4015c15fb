import { mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startApi } from '@continuity/dev/api-process'
import type { Child } from '@continuity/dev/child-process'
import { ensureCredentialKeys } from '@continuity/dev/credential-keys'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { makeHome } from '@continuity/dev/make-home'
import { waitForNode } from '@continuity/dev/node-process'
import { startPrivateNats } from '@continuity/dev/private-nats'
import { type PrivatePostgres, startPrivatePostgres } from '@continuity/dev/private-postgres'
import { removeHome } from '@continuity/dev/remove-home'
import { migrateSchema, openOwner } from '@continuity/server/owner'
import { type Database, openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { logIn, requireSession } from '../ingest/session-calls.ts'

/** Connections that a process may have; fewer than requests in flight, so that they are shared. */
export const CONNECTIONS = 10

export interface FaultSystem {
  /** The same after each start of the server. */
  readonly databaseUrl: string
  /** A port that stays free while nothing listens on it. */
  readonly linkPort: number
  readonly words: readonly [string, string]
  /** As the superuser, who sees the rows of every account and what every connection does. */
  readonly database: Database
  postgres(): Child
  startPostgresAgain(): Promise<void>
  startApi(name: string, databaseUrl: string): Promise<FaultyApi>
}

/** An API process with a faulty database. */
export interface FaultyApi extends AsyncDisposable {
  readonly baseUrl: string
  readonly child: Child
}

/** PostgreSQL, NATS and two accounts. Stopped when `opened` is disposed. */
export async function startFaultSystem(opened: AsyncDisposableStack): Promise<FaultSystem> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-faults-'))
  opened.defer(() => removeHome(home))
  await makeHome(home)
  const [port, linkPort] = await findLastingPorts()
  const options = { home, searchPath: process.env['PATH'] ?? '', log: () => {} }
  const start = () => startPrivatePostgres({ ...options, binDir: process.env['PG_BIN_DIR'], port })
  let postgres: PrivatePostgres = await start()
  opened.defer(() => postgres.stop())
  const nats = await startPrivateNats(options)
  opened.defer(() => nats.stop())
  await migrateSchema(postgres.ownerUrl, { nowMs: Date.now() })
  const words = ['northern', 'southern'] as const
  for (const word of words) await makeAccount(postgres.ownerUrl, word)
  const credentialKeysFile = await ensureCredentialKeys(home)
  const { logger } = createLog({ level: 'silent', process: 'proof', instance: 'proof' })
  // With its own application_name, to distinguish its connections from those of the API.
  const own = { username: 'postgres', search: '?application_name=proof' }
  const superuserUrl = Object.assign(new URL(postgres.ownerUrl), own).href
  const database = openDatabase(superuserUrl, { connections: 2, logger })
  opened.defer(() => database.close())

  return {
    databaseUrl: postgres.url,
    linkPort,
    words,
    database,
    postgres: () => postgres.child,
    async startPostgresAgain() {
      postgres = await start()
    },
    async startApi(name, databaseUrl) {
      const folder = join(home, name)
      await mkdir(join(folder, 'logs'), { recursive: true })
      const child = await startApi({
        home: folder,
        port: 0,
        databaseUrl,
        natsUrl: nats.urls.api,
        credentialKeysFile,
        // Its promises are times, on a busy machine too.
        settings: { DATABASE_CONNECTIONS: `${CONNECTIONS}`, DATABASE_PATIENCE: '1' },
      })
      const baseUrl = await waitForNode(child)
      return { baseUrl, child, [Symbol.asyncDispose]: () => child.stop() }
    },
  }
}

/** All texts of the account contain the word. */
async function makeAccount(ownerUrl: string, word: string): Promise<void> {
  const owner = openOwner(ownerUrl, Date.now())
  const nothing = { country: undefined, frame_rate: undefined, segment_ms: undefined }
  await owner.createAccount({ ...nothing, account_name: word, title: `The ${word} account` })
  await owner.createUser(word, { ...loginOf(word), name: word, roles: ['ROLE_ADMIN'] })
  await owner.close()
}

const loginOf = (word: string) => ({
  account_name: word,
  email: `admin@${word}.example`,
  password: `the wind is in the ${word.slice(0, 5)}`,
})

export async function logInTo(api: string, word: string): Promise<Readonly<Record<string, string>>> {
  const { token, device_id } = requireSession(await logIn(api, loginOf(word), '127.0.0.1'))
  return { 'x-service-auth': token.token_access, 'x-service-device': device_id }
}
