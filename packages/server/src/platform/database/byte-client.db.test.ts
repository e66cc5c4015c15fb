import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../log/logger.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { bytesOfText, executeAsBytes, openDatabase, textOfBytes } from './database.ts'

const { serviceUrl } = await aReleasedDatabase()
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
/** One connection, so that each query sees the state that the one before left on it. */
const database = openDatabase(serviceUrl, { connections: 1, logger })
after(() => database.close())
const db = database.forAccount(randomUUID())

const TEXT = 'Žižkov 東京 🎬 \u0001'
const query = sql<{ text: string; number: number }>`select ${TEXT}::text as text, 7::bigint as number`

test('a query read as bytes returns a character per byte, and the next query reads text again', async () => {
  const { rows: bytes } = await executeAsBytes(db, query)
  const { rows: text } = await query.execute(db)
  const { rows: inTransaction } = await db.transaction().execute((tx) => query.execute(tx))

  assert.deepEqual(bytes, [{ text: bytesOfText(TEXT), number: 7 }])
  assert.equal(textOfBytes(bytes[0]!.text), TEXT)
  assert.deepEqual(text, [{ text: TEXT, number: 7 }])
  assert.deepEqual(inTransaction, text)
})

test('a query for bytes that fails resets the connection to text', async () => {
  await assert.rejects(executeAsBytes(db, sql`select 1 / ${0}::integer`), /division by zero/)

  assert.deepEqual((await query.execute(db)).rows, [{ text: TEXT, number: 7 }])
})

test('bytes can be read as an account only, and not inside a transaction', async () => {
  const account = sql<{ account: string }>`select current_account()::text as account`
  const accountId = randomUUID()

  assert.deepEqual((await executeAsBytes(database.forAccount(accountId), account)).rows, [
    { account: accountId },
  ])
  await assert.rejects(
    db.transaction().execute((tx) => executeAsBytes(tx, account)),
    /outside of a transaction/,
  )
  await assert.rejects(executeAsBytes(database.platform, account), /as an account/)
})
