import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import { openDatabase } from '../../../platform/database/database.ts'
import { createLog } from '../../../platform/log/logger.ts'
import { aReleasedDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { hashSecret, newSecret } from '../credentials/refresh-credential.ts'
import { endSessions, insertSession, lockSession } from './session-store.ts'

const { ownerUrl } = await aReleasedDatabase()
const [one, other] = [newId(NOW_MS), newId(NOW_MS)]
await addAccounts(ownerUrl, { one, other })

/** Row-level security does not apply to the owner: only the statements filter by account. */
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
const owner = openDatabase(ownerUrl, { connections: 1, logger })
after(() => owner.close())

const aSession = (accountId: string, sessionId: string, subjectId: string) => ({
  accountId,
  sessionId,
  subjectType: 'user' as const,
  subjectId,
  deviceId: newId(NOW_MS),
  userAgent: 'tv/1',
  country: 'DE',
  familySecret: newSecret(),
  credentialHash: hashSecret(newSecret()),
  begunMs: NOW_MS,
  expiresMs: NOW_MS + 1_000,
})

for (const by of ['sessionId', 'subjectId'] as const) {
  test(`ending sessions by ${by} affects only the account`, async () => {
    const [sessionId, subjectId] = [newId(NOW_MS), newId(NOW_MS)]
    const which = by === 'sessionId' ? { sessionId } : { subjectId }

    const ended = await owner.platform.transaction().execute(async (tx) => {
      for (const accountId of [one, other]) await insertSession(tx, aSession(accountId, sessionId, subjectId))
      return endSessions(tx, one, which, 'logged_out', NOW_MS + 1)
    })

    assert.deepEqual(ended, [sessionId])
    const { rows } = await sql<{ accountId: string; endedMs: number | null }>`
      select account_id as "accountId", ended_ms as "endedMs" from sessions
       where session_id = ${sessionId}`.execute(owner.platform)
    assert.deepEqual(
      new Map(rows.map(({ accountId, endedMs }) => [accountId, endedMs])),
      new Map([
        [one, NOW_MS + 1],
        [other, null],
      ]),
    )
  })
}

test('a session is found only with its own account', async () => {
  const [sessionId, subjectId] = [newId(NOW_MS), newId(NOW_MS)]

  const found = await owner.platform.transaction().execute(async (tx) => {
    await insertSession(tx, aSession(other, sessionId, subjectId))
    return lockSession(tx, one, sessionId)
  })

  assert.equal(found, undefined)
})
