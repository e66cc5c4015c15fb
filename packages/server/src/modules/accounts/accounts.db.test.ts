import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anApi } from '../../http/testing/an-api.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { openOwner } from '../../owner/open-owner.ts'
import { newId } from '../../platform/crypto/ids.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { accountRoutes } from './routes.ts'

const { database, ownerUrl } = await aDatabase()
const [one, other] = [newId(0), newId(0)]
await addAccounts(ownerUrl, { one, other })
const api = await anApi(accountRoutes({ database }))
const admin = api.userOf(one)
const path = '/api/2.1/account'

interface Account {
  account_name: string
  country: string
  frame_rate: number
  loudness_lufs: number
  is_format_frozen: boolean
}

test('a user reads its own account, with an entity tag', async () => {
  const answer = await api.userOf(other, ['ROLE_USER']).get<Account>(path)

  assert.equal(answer.statusCode, 200, answer.body)
  assert.equal(answer.json().account_name, 'other')
  assert.equal(answer.headers['etag'], '"1"')
})

test('an administrator changes the defaults of the account; a stale entity tag is rejected', async () => {
  const stale = await admin.patch(path, { title: 'X' }, { 'if-match': '"9"' })
  const changed = await admin.patch<Account>(
    path,
    { country: 'fr', loudness_lufs: -24.04 },
    { 'if-match': '"1"' },
  )

  assertProblem(stale, 412, 'record.changed')
  assert.deepEqual([changed.json().country, changed.json().loudness_lufs], ['FR', -24])
  assert.equal((await api.userOf(other).get<Account>(path)).json().country, 'DE')
})

test('the format is frozen with the first asset; other fields can still change', async () => {
  assert.equal((await admin.patch<Account>(path, { frame_rate: 25 })).json().frame_rate, 25)
  await sql`update accounts set format_frozen_ms = 1`.execute(database.forAccount(one))

  assertProblem(await admin.patch(path, { frame_rate: 30 }), 409, 'account.format_frozen')
  assertProblem(await admin.patch(path, { segment_ms: 6_400 }), 409, 'account.format_frozen')
  const same = await admin.patch<Account>(path, { frame_rate: 25, title: 'One' })
  assert.deepEqual([same.statusCode, same.json().is_format_frozen], [200, true])
})

test('a change is audited', async () => {
  await admin.patch(path, { title: 'Audited' })

  const { rows } = await sql<{ after: { title: string }; user_id: string }>`
    select after, user_id from audit_entries where after->>'title' = 'Audited'`.execute(
    database.forAccount(one),
  )
  assert.equal(rows[0]?.after.title, 'Audited')
  assert.equal(rows[0]?.user_id, admin.userId)
})

test('only the owner creates accounts, and names are unique', async (t) => {
  const owner = openOwner(ownerUrl, 0)
  t.after(() => owner.close())
  const draft = { title: undefined, country: undefined, frame_rate: undefined, segment_ms: undefined }

  const made = await owner.createAccount({ ...draft, account_name: 'north' })

  assert.deepEqual(
    [made.title, made.frame_rate, made.segment_ms, made.loudness_lufs],
    ['north', 30, 3_200, -23],
  )
  await assert.rejects(owner.createAccount({ ...draft, account_name: 'north' }), /already/)
  await assert.rejects(owner.createAccount({ ...draft, account_name: 'No rth' }), /not a valid account name/)
  const id = newId(0)
  const insert =
    sql`insert into accounts (account_id, name, title, country, frame_rate, segment_ms, loudness_lufs, created_ms, updated_ms)
    values (${id}, 'x', 'x', 'DE', 30, 3200, -23, 0, 0)`.execute(database.forAccount(id))
  await assert.rejects(insert, /permission denied/)
})
