import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../log/logger.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { addAccounts } from '../testing/an-account.ts'
import { openDatabase } from './database.ts'

const it = await aReleasedDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(it.ownerUrl, { one, other })

test('any number of different statements works, and a connection keeps 500 of them prepared', async (t) => {
  const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
  const database = openDatabase(it.serviceUrl, { connections: 1, logger })
  t.after(() => database.close())
  // Both protocols of the driver: statements with values and without.
  const select = async (text: number, value: string, account: string) => {
    const { rows } = await sql<Record<string, unknown>>`
      select name, ${value}::text as value, ${sql.lit(text)} as text from accounts`.execute(
      database.forAccount(account),
    )
    const bare = await sql<
      Record<string, unknown>
    >`select name, ${sql.lit(-text)} as text from accounts`.execute(database.forAccount(account))
    return [...rows, ...bare.rows]
  }

  for (const round of ['first', 'second']) {
    for (let text = 1; text <= 300; text += 1) {
      const [account, name] = text % 2 === 0 ? [one, 'one'] : [other, 'other']
      assert.deepEqual(await select(text, round, account), [
        { name, value: round, text },
        { name, text: -text },
      ])
    }
  }

  const { rows } = await sql<{ count: number }>`
    select count(*) from pg_prepared_statements where name ~ '^s[0-9]+$'`.execute(database.platform)
  assert.deepEqual(rows, [{ count: 500 }])
})

test('an unnamed statement runs as its account, in a transaction too', async () => {
  const { rows } = await it.database
    .forAccount(other)
    .transaction()
    .execute((tx) => sql`select name, 'nameless' as word from accounts`.execute(tx))

  assert.deepEqual(rows, [{ name: 'other', word: 'nameless' }])
  assert.deepEqual(
    (await sql`select name, 'bare' as word from accounts`.execute(it.database.platform)).rows,
    [],
  )
})
