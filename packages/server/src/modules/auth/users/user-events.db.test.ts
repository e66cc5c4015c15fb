import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { anActor } from '../../../platform/testing/an-actor.ts'
import { assertEvents } from '../../events/testing/assert-events.ts'
import { changeUser } from './change-user.ts'
import { createUser } from './create-user.ts'

const { database, ownerUrl } = await aDatabase()
const accountId = randomUUID()
await addAccounts(ownerUrl, { one: accountId })
const db = database.forAccount(accountId)

test('creating, changing and deleting a user records three events, without password and e-mail address', async () => {
  const actor = anActor(accountId)
  const draft = { email: 'a@one.example', name: 'Night desk', roles: ['ROLE_USER'], passwordHash: 'secret' }
  const change = (update: Parameters<typeof changeUser>[3]) =>
    db.transaction().execute((tx) => changeUser(tx, actor, userId, update, () => {}))
  const { userId } = await db.transaction().execute((tx) => createUser(tx, actor, draft))
  await change({ status: 'DISABLED', passwordHash: 'secret too' })
  await change('delete')

  const { rows } = await sql<{ kind: string; data: object }>`
    select kind, data from events where subject_id = ${userId} order by number`.execute(db)

  await assertEvents(db, ['user.created', 'user.changed', 'user.deleted'])
  assert.deepEqual(
    rows.map(({ kind, data }) => [kind, (data as { status: string }).status]),
    [
      ['user.created', 'ACTIVE'],
      ['user.changed', 'DISABLED'],
      ['user.deleted', 'DISABLED'],
    ],
  )
  assert.doesNotMatch(JSON.stringify(rows), /secret|example/)
})
