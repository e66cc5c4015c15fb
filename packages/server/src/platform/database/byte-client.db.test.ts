import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../logger.ts'
import { aReleasedDatabase } from '../testing/a-database.ts'
import { bytesOfText, executeAsBytes, openDatabase, textOfBytes } from './database.ts'

const { serviceUrl } = await aReleasedDatabase()
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
/** One connection, so that each query finds what the one before it left behind. */
const database = openDatabase(serviceUrl, { connections: 1, logger })
after(() => database.close())
const db = database.forAccount(randomUUID())

const TEXT = 'Žižkov 東京 🎬 \u0001'
const asked = sql<{ text: string; number: number }>`select ${TEXT}::text as text, 7::bigint as number`

test('what is read as bytes has a character for each byte, and the next query reads text again', async () => {
  const { rows: bytes } = await executeAsBytes(db, asked)
  const { rows: text } = await asked.execute(db)
  const { rows: inTransaction } = await db.transaction().execute((tx) => asked.execute(tx))

  assert.deepEqual(bytes, [{ text: bytesOfText(TEXT), number: 7 }])
  assert.equal(textOfBytes(bytes[0]!.text), TEXT)
  assert.deepEqual(text, [{ text: TEXT, number: 7 }])
  assert.deepEqual(inTransaction, text)
})

test('a query for bytes that fails leaves text behind', async () => {
  await assert.rejects(executeAsBytes(db, sql`select 1 / ${0}::integer`), /division by zero/)

  assert.deepEqual((await asked.execute(db)).rows, [{ text: TEXT, number: 7 }])
})

test('bytes are read as an account, and not inside a transaction', async () => {
  const account = sql<{ account: string }>`select current_account()::text as account`
  const accountId = randomUUID()

  assert.deepEqual((await executeAsBytes(database.forAccount(accountId), account)).rows, [
    { account: accountId },
  ])
  await assert.rejects(
    db.transaction().execute((tx) => executeAsBytes(tx, account)),
    /outside of transactions/,
  )
  await assert.rejects(executeAsBytes(database.platform, account), /as an account/)
})
