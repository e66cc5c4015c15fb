import { type AppKey, createAppKey, findAppKey, listAppKeys, revokeAppKey } from '../modules/auth/index.ts'
import { AppKeyNotFound } from '../modules/auth/records/errors.ts'
import { isId } from '../platform/crypto/ids.ts'
import type { Database } from '../platform/database/database.ts'
import { ownerActor, requireAccountId } from './owner-accounts.ts'

const PAGE_SIZE = 500

/** The app keys of any account, with the field names of the API. */
export function ownerAppKeys(database: Database, nowMs: number) {
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
