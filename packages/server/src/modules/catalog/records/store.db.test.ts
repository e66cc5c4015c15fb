import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { openDatabase, type Transaction } from '../../../platform/database/database.ts'
import { createLog } from '../../../platform/log/logger.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import {
  findBrand,
  insertBrand,
  listBrands,
  lockBrand,
  markBrandDeleted,
  renameBrand,
} from './brand-store.ts'
import { countOneLess, countOneMore } from './total-store.ts'

const { ownerUrl } = await aDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(ownerUrl, { one, other })

/** Row-level security does not apply to the owner: only the statements filter by account. */
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
const database = openDatabase(ownerUrl, { connections: 2, logger })
after(() => database.close())

const brand = { accountId: one, brandId: 'north', name: 'North' }
const first = { nameOrder: '', brandId: '' }
await inTransaction(async (tx) => {
  await insertBrand(tx, brand, 1_000)
  await countOneMore(tx, one, 'brand')
})

test('an account finds its own brand', async () => {
  const db = database.forAccount(one)

  assert.deepEqual(await findBrand(db, one, 'north'), brand)
  assert.deepEqual(await listBrands(db, one, first, 10), {
    rows: [{ brandId: 'north', name: 'North', nameOrder: 'north' }],
    total: 1,
  })
})

test('no statement reads a brand or a total of another account, even as the owner', async () => {
  const db = database.forAccount(one)

  assert.equal(await findBrand(db, other, 'north'), undefined)
  assert.equal(await inTransaction((tx) => lockBrand(tx, other, 'north', 'change')), undefined)
  assert.deepEqual(await listBrands(db, other, first, 10), { rows: [], total: 0 })
})

test('no statement writes a brand or a total of another account, even as the owner', async () => {
  const theirs = { ...brand, accountId: other }

  await inTransaction(async (tx) => {
    await assert.rejects(renameBrand(tx, theirs, 'Mine', 2_000), /no result/)
    await markBrandDeleted(tx, theirs, 2_000)
    await countOneLess(tx, other, 'brand')
  })

  const { rows, total } = await listBrands(database.forAccount(one), one, first, 10)
  assert.deepEqual(
    rows.map(({ name }) => name),
    ['North'],
  )
  assert.equal(total, 1)
})

function inTransaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
  return database.forAccount(one).transaction().execute(work)
}
