import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import pg from 'pg'
import { aReleasedDatabase } from '../../packages/server/src/platform/testing/a-database.ts'
import { type IsolatedTable, readIsolatedTables, rowOf } from './isolated-rows.ts'
import { platformTables, servicePrivileges } from './schema-lists.ts'

/**
 * Every statement of a store names its account. Here none does: what row-level
 * security does by itself, without them.
 */
const ours = randomUUID()
const theirs = randomUUID()
const it = await aReleasedDatabase()
const owner = new pg.Client({ connectionString: it.ownerUrl })
const service = new pg.Client({ connectionString: it.serviceUrl })
await Promise.all([owner.connect(), service.connect()])
after(() => Promise.all([owner.end(), service.end()]))

const BEHIND_THE_FENCE = { code: '42501', message: /violates row-level security policy/ }
const NOT_GRANTED = { code: '42501', message: /permission denied/ }

const tables = await readIsolatedTables(owner)
for (const table of tables) for (const accountId of [ours, theirs]) await insert(owner, table, accountId)

for (const table of tables) {
  const { name } = table
  const may = (privilege: string) => servicePrivileges[`public.${name}`]?.includes(privilege) === true

  test(`${name}: who has no account sees nothing, and an account sees its own rows only`, async () => {
    assert.deepEqual(await accountsIn(name), [ours, theirs].toSorted())

    assert.deepEqual(await as('', () => seen(name)), [])
    assert.deepEqual(await as(ours, () => seen(name)), [ours])
    assert.deepEqual(await as(theirs, () => seen(name)), [theirs])
  })

  test(`${name}: no row of another account can be changed or taken over`, async () => {
    const everyRow = `update ${name} set account_id = account_id`
    const toThem = `update ${name} set account_id = '${theirs}'`

    if (may('update')) {
      assert.equal(await as('', () => count(everyRow)), 0)
      assert.equal(await as(ours, () => count(everyRow)), 1)
      await assert.rejects(
        as(ours, () => count(toThem)),
        BEHIND_THE_FENCE,
      )
    } else
      await assert.rejects(
        as(ours, () => count(everyRow)),
        NOT_GRANTED,
      )
  })

  test(`${name}: no row of another account can be taken away`, async () => {
    const everyRow = `delete from ${name}`

    if (may('delete')) {
      assert.equal(await as('', () => count(everyRow)), 0)
      assert.equal(await as(ours, () => count(everyRow)), 1)
    } else
      await assert.rejects(
        as(ours, () => count(everyRow)),
        NOT_GRANTED,
      )
  })

  test(`${name}: no row can be added to another account`, async () => {
    const reason = may('insert') ? BEHIND_THE_FENCE : NOT_GRANTED

    await assert.rejects(
      as(ours, () => insert(service, table, theirs)),
      reason,
    )
    await assert.rejects(
      as('', () => insert(service, table, ours)),
      reason,
    )
  })
}

test('every table of accounts is tried', async () => {
  const { rows } = await owner.query(
    "select relname from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'p')",
  )

  assert.deepEqual(
    [...tables.map(({ name }) => name), ...Object.keys(platformTables)].toSorted(),
    rows.map(({ relname }) => String(relname)).toSorted(),
  )
})

/** Runs something as an account, or without one, and rolls it back. */
async function as<T>(accountId: string, work: () => Promise<T>): Promise<T> {
  await service.query('begin')
  try {
    await service.query("select set_config('app.account_id', $1, true)", [accountId])
    return await work()
  } finally {
    await service.query('rollback')
  }
}

const seen = (name: string) => accountsOf(service, name)
const accountsIn = (name: string) => accountsOf(owner, name)

async function accountsOf(client: pg.Client, name: string): Promise<string[]> {
  const { rows } = await client.query<{ account: string }>(
    `select account_id as account from ${name} order by 1`,
  )
  return rows.map(({ account }) => account).toSorted()
}

async function count(statement: string): Promise<number> {
  return (await service.query(statement)).rowCount ?? 0
}

async function insert(client: pg.Client, table: IsolatedTable, accountId: string): Promise<void> {
  const { names, values } = rowOf(table, accountId)
  const places = values.map((_, index) => `$${index + 1}`)
  await client.query(`insert into ${table.name} (${names.join(', ')}) values (${places.join(', ')})`, values)
}
