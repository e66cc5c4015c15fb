import { randomBytes } from 'node:crypto'
import { startTestSystem } from '@continuity/dev/test-system'
import { openOwner } from '@continuity/server/owner'
import { openAlert } from '../../packages/server/src/modules/alerts/index.ts'
import { credentialKeys, type SigningKey } from '../../packages/server/src/modules/auth/index.ts'
import { type Database, openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { type Api, openApi } from './call.ts'
import { type FilledAccount, makeFilledAccount } from './filled-account.ts'

/** A running system with two accounts in it. */
export interface World extends AsyncDisposable {
  readonly api: Api
  readonly owner: ReturnType<typeof openOwner>
  /** As the owner of the schema, who sees the rows of all accounts. */
  readonly database: Database
  /** The key that signs credentials. */
  readonly key: SigningKey
  /** The account that sends requests. */
  readonly one: FilledAccount
  /** The account whose records are requested. */
  readonly other: FilledAccount
}

/** Closed when its scope ends. */
export async function openWorld(): Promise<World> {
  await using opened = new AsyncDisposableStack()
  // Rejections are logged, and there are thousands of them.
  const system = opened.use(await startTestSystem({ LOG_LEVEL: 'error' }))
  const { databaseOwnerUrl, credentialKeysFile } = system
  const owner = openOwner(databaseOwnerUrl, Date.now())
  opened.defer(() => owner.close())
  const { logger } = createLog({ level: 'warn', process: 'proof', instance: 'access' })
  const database = openDatabase(databaseOwnerUrl, { connections: 2, logger, patience: 8 })
  opened.defer(() => database.close())
  const api = openApi(system.baseUrl)
  opened.defer(() => api.close())

  const make = (name: string) =>
    makeFilledAccount(owner, api, `${name}-${randomBytes(6).toString('hex')}`, (accountId, word) =>
      openAlerts(database, accountId, word),
    )
  const key = await readKey(credentialKeysFile)
  const [one, other] = [await make('one'), await make('other')]
  const all = opened.move()
  return { api, owner, database, key, one, other, [Symbol.asyncDispose]: () => all.disposeAsync() }
}

async function readKey(path: string): Promise<SigningKey> {
  const result = await credentialKeys.read(path)
  if (result.kind === 'rejected') throw new Error(result.fault)
  const [key] = result.keys.values()
  return key!
}

/** No request of a client opens an alert. */
async function openAlerts(database: Database, accountId: string, word: string): Promise<void> {
  const actor = { accountId, userId: null, requestId: null, nowMs: Date.now() }
  await database
    .forAccount(accountId)
    .transaction()
    .execute(async (tx) => {
      for (const subjectId of [`first-of-${word}`, `second-of-${word}`]) {
        const subject = { code: 'schedule.ending' as const, subjectType: 'linear_channel', subjectId }
        await openAlert(tx, actor, { ...subject, severity: 'WARNING', message: `Trouble of ${word}.` })
      }
    })
}
