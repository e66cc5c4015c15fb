import { type Database, openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { type Login, logIn, requireSession } from '../sessions/session-calls.ts'
import { asOwner, type SessionSystem, startSessionSystem } from '../sessions/session-system.ts'

/** Two processes with two accounts, and a connection to the database as the owner. */
export interface IdempotencySystem extends SessionSystem {
  readonly one: Account
  readonly other: Account
  /** As the owner, who sees the rows of every account. */
  readonly database: Database
}

export interface Account {
  readonly accountId: string
  /** The headers of a session. A new one, when the last has expired by the clock of the system. */
  headers(): Promise<Readonly<Record<string, string>>>
}

/** Stopped when `opened` is disposed. */
export async function startIdempotencySystem(opened: AsyncDisposableStack): Promise<IdempotencySystem> {
  const it = await startSessionSystem(opened)
  const { logger } = createLog({ level: 'error', process: 'proof', instance: 'proof' })
  const database = openDatabase(it.system.databaseOwnerUrl, { connections: 4, logger, patience: 8 })
  opened.defer(() => database.close())
  return { ...it, database, one: await makeAccount(it, 'one'), other: await makeAccount(it, 'other') }
}

/** Less than an access credential lasts. */
const SESSION_MS = 30 * 60_000

async function makeAccount(it: SessionSystem, name: string): Promise<Account> {
  const login: Login = { account_name: name, email: `admin@${name}.example`, password: `once upon a ${name}` }
  const accountId = await asOwner(it, async (owner) => {
    const nothing = { title: undefined, country: undefined, frame_rate: undefined, segment_ms: undefined }
    const { account_id } = await owner.createAccount({ ...nothing, account_name: name })
    await owner.createUser(name, { ...login, name, roles: ['ROLE_ADMIN'] })
    return account_id
  })
  let session: { readonly untilMs: number; readonly headers: Readonly<Record<string, string>> } | undefined
  return {
    accountId,
    async headers() {
      if (session === undefined || session.untilMs < it.clock.nowMs()) {
        const { token, device_id } = requireSession(await logIn(it.apis[0], login, '10.0.0.1'))
        const headers = { 'x-service-auth': token.token_access, 'x-service-device': device_id }
        session = { untilMs: it.clock.nowMs() + SESSION_MS, headers }
      }
      return session.headers
    },
  }
}
