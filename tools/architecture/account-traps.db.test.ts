import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { getAccount } from '../../packages/server/src/modules/accounts/read.ts'
import { aDatabase } from '../../packages/server/src/platform/testing/a-database.ts'
import { readIsolatedTables, rowOf } from './isolated-rows.ts'
import { platformTables, servicePrivileges } from './schema-lists.ts'

/**
 * The tests of the modules prove that every statement names its account, in a database in which one that does not
 * fails. Here is proven that it does, whatever table it is about.
 */
const it = await aDatabase()
const account = randomUUID()
const owner = new pg.Client({ connectionString: it.ownerUrl })
const service = new pg.Client({ connectionString: it.serviceUrl })
await Promise.all([owner.connect(), service.connect()])
after(() => Promise.all([owner.end(), service.end()]))
await service.query("select set_config('app.account_id', $1, false)", [account])

const tables = await readIsolatedTables(owner)
for (const table of tables) {
  const { names, values } = rowOf(table, account)
  const places = values.map((_, index) => `$${index + 1}`)
  await owner.query(`insert into ${table.name} (${names.join(', ')}) values (${places.join(', ')})`, values)
}

const LACKS_FILTER = { message: /lacks an account filter/ }

for (const { name } of tables) {
  test(`${name}: a statement that names its account is carried out, and one that does not fails`, async () => {
    const may = (privilege: string) => servicePrivileges[`public.${name}`]?.includes(privilege) === true
    const named = `where account_id = '${account}'`

    assert.equal((await service.query(`select account_id from ${name} ${named}`)).rowCount, 1)
    await assert.rejects(service.query(`select account_id from ${name}`), LACKS_FILTER)
    if (may('update')) {
      assert.equal((await service.query(`update ${name} set account_id = account_id ${named}`)).rowCount, 1)
      await assert.rejects(service.query(`update ${name} set account_id = account_id`), LACKS_FILTER)
    }
    if (may('delete')) await assert.rejects(service.query(`delete from ${name}`), LACKS_FILTER)
  })
}

test('every table of accounts has the trap', async () => {
  const { rows } = await owner.query<{ name: string }>(
    "select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  )

  assert.deepEqual(
    tables.map(({ name }) => name).toSorted(),
    rows
      .map(({ name }) => name)
      .filter((name) => !(name in platformTables))
      .toSorted(),
  )
})

test('a statement that a test writes sees its own account without naming it, and one of a store does not', async () => {
  const db = it.database.forAccount(account)

  const { rows } = await sql<{ id: string }>`select account_id as id from accounts`.execute(db)

  assert.deepEqual(rows, [{ id: account }])
  assert.equal((await getAccount(db, account)).accountId, account)
  await assert.rejects(getAccount(it.database.forAccount(randomUUID()), account), LACKS_FILTER)
})
