import { migrateSchema } from '../app/migrate-schema.ts'
import { type AppKey, createAppKey, findAppKey, listAppKeys, revokeAppKey } from '../modules/auth/index.ts'
import { AppKeyNotFound } from '../modules/auth/records/errors.ts'
import { beginEpoch, readDatabaseState } from '../modules/schedule/index.ts'
import { isId } from '../platform/crypto/ids.ts'
import { type Database, type Db, openDatabase } from '../platform/database/database.ts'
import { findMissingMigrations } from '../platform/database/missing-migrations.ts'
import { createLogger } from '../platform/log/logger.ts'
import { ownerAccounts, ownerActor, requireAccountId } from './owner-accounts.ts'
import { ownerUsers } from './owner-users.ts'

/** The operations of the platform owner, at one time. It connects to the database at the first use. */
export function openOwner(ownerUrl: string, nowMs: number) {
  // A command reports its own errors; a log would be noise.
  const logger = createLogger({ level: 'silent', base: {}, write: () => {} })
  const database = openDatabase(ownerUrl, { connections: 1, logger })
  return {
    ...ownerAccounts(database.platform, nowMs),
    ...ownerUsers(database, nowMs),
    ...ownerAppKeys(database, nowMs),
    ...ownerFeed(database.platform, nowMs),

    async migrate(report: (migration: string) => void) {
      const applied = await migrateSchema(ownerUrl, { nowMs, log: report })
      return applied.map(nameOf)
    },

    async findPendingMigrations() {
      const missing = await findMissingMigrations(ownerUrl)
      return missing.map(nameOf)
    },

    close: () => database.close(),
  }
}

/** The name of its file. */
const nameOf = ({ version, name }: { readonly version: number; readonly name: string }) =>
  `${String(version).padStart(4, '0')}-${name}`

/** The owner's operations on the feed. */
function ownerFeed(owner: Db, nowMs: number) {
  return {
    /** After a restore of the database: updates published from here on take precedence over all earlier ones. */
    async beginFeedEpoch(): Promise<{ readonly epoch: number; readonly before: number }> {
      const { epoch: before } = await readDatabaseState(owner)
      const reason = 'begun by the owner'
      const epoch = await beginEpoch(owner, { expected: before, above: before, reason }, nowMs)
      // Another process was faster, which has the same effect.
      return { epoch: epoch ?? (await readDatabaseState(owner)).epoch, before }
    },
  }
}

const PAGE_SIZE = 500

/** The app keys of any account, with the field names of the API. */
function ownerAppKeys(database: Database, nowMs: number) {
  return {
    async createAppKey(accountName: string, appName: string) {
      const actor = await actorIn(accountName)
      const { appKey, sdkKey } = await database
        .forAccount(actor.accountId)
        .transaction()
        .execute((tx) => createAppKey(tx, actor, appName))
      return { ...toRecord(appKey), sdk_key: sdkKey }
    },

    async listAppKeys(accountName: string) {
      const { accountId } = await actorIn(accountName)
      const all: AppKey[] = []
      for (;;) {
        const page = await listAppKeys(
          database.forAccount(accountId),
          accountId,
          all.at(-1)?.appKeyId,
          PAGE_SIZE,
        )
        all.push(...page)
        if (page.length < PAGE_SIZE) return all.map(toRecord)
      }
    },

    async revokeAppKey(accountName: string, appKeyId: string) {
      const actor = await actorIn(accountName)
      if (!isId(appKeyId)) throw AppKeyNotFound(appKeyId)
      const revoked = await database
        .forAccount(actor.accountId)
        .transaction()
        .execute(async (tx) => {
          await revokeAppKey(tx, actor, appKeyId)
          return findAppKey(tx, actor.accountId, appKeyId)
        })
      if (revoked === undefined) throw AppKeyNotFound(appKeyId)
      return toRecord(revoked)
    },
  }

  async function actorIn(accountName: string) {
    return ownerActor(await requireAccountId(database.platform, accountName), nowMs)
  }
}

const toRecord = (key: AppKey) => ({
  app_key_id: key.appKeyId,
  app_name: key.appName,
  status: key.status,
  created_date: new Date(key.createdMs).toISOString(),
  last_used: key.lastUsedMs === null ? null : new Date(key.lastUsedMs).toISOString(),
})
