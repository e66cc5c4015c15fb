import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { newId } from '../../../platform/crypto/ids.ts'
import { aReleasedDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { insertEnded } from '../records/ended-store.ts'
import { countTry } from '../records/limit-store.ts'
import { insertSession } from '../records/session-store.ts'
import { aUser } from '../testing/a-user.ts'
import { purgeExpiredAuth } from './purge-expired.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const NOW_MS = 100 * DAY_MS
const { database, ownerUrl } = await aReleasedDatabase()
const account = newId(0)
await addAccounts(ownerUrl, { account })
const user = await aUser(database, account)

test('expired rows of all accounts are purged, and no others', async () => {
  const { platform } = database
  const db = database.forAccount(account)
  await countTry(platform, { key: Buffer.from('old'), most: 5, windowMs: 1 }, 0)
  await countTry(platform, { key: Buffer.from('new'), most: 5, windowMs: 1 }, NOW_MS)
  const ended = { kind: 'session', generation: 0 } as const
  await insertEnded(platform, [{ ...ended, id: newId(0), endedMs: 0 }])
  await insertEnded(platform, [{ ...ended, id: newId(0), endedMs: NOW_MS }])
  await db.transaction().execute(async (tx) => {
    await insertSession(tx, aSession(0))
    await insertSession(tx, aSession(NOW_MS))
    for (const days of [31, 29]) {
      await sql`insert into user_addresses (account_id, user_id, address, last_login_ms)
        values (${account}, ${user.userId}, ${`203.0.113.${days}`}, ${NOW_MS - days * DAY_MS})`.execute(tx)
    }
  })

  const gone: Record<string, number> = {}
  for (const [name, purge] of Object.entries(purgeExpiredAuth)) gone[name] = await purge(platform, NOW_MS)

  assert.deepEqual(gone, { login_limits: 1, ended_credentials: 1, sessions: 1, user_addresses: 1 })
  const { rows } = await sql`
    select (select count(*) from sessions) as sessions, (select count(*) from user_addresses) as addresses,
           (select count(*) from ended_credentials) as ended, (select count(*) from login_limits) as limits`.execute(
    db,
  )
  assert.deepEqual(rows, [{ sessions: 1, addresses: 1, ended: 1, limits: 1 }])
})

const aSession = (expiresMs: number) => ({
  accountId: account,
  sessionId: newId(0),
  subjectType: 'user' as const,
  subjectId: user.userId,
  deviceId: newId(0),
  expiresMs,
  userAgent: '',
  country: 'DE',
  familySecret: Buffer.alloc(32),
  credentialHash: Buffer.alloc(32),
  begunMs: 0,
})
