import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { anApi, somePageCursors } from '../../../http/testing/an-api.ts'
import { assertProblem } from '../../../http/testing/wire.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { catalogRoutes } from '../routes.ts'

const { database, ownerUrl } = await aDatabase()
const accountId = randomUUID()
const otherId = randomUUID()
await addAccounts(ownerUrl, { one: accountId, other: otherId })
const api = await anApi(
  catalogRoutes({
    database,
    pageCursors: somePageCursors(),
    isReferenced: async () => false,
    mediaBase: '',
  }),
)
const admin = api.userOf(accountId)
const otherAdmin = api.userOf(otherId)
const db = database.forAccount(accountId)

const BRANDS = '/api/2.1/brands'
const addressOf = (brandId: string) => `${BRANDS}/${encodeURIComponent(brandId)}`

test('a brand is created, read, renamed and deleted', async () => {
  const brand_id = randomUUID()

  const made = await admin.post(BRANDS, { brand_id, name: 'North' })
  const read = await admin.get(addressOf(brand_id))
  const renamed = await admin.patch(addressOf(brand_id), { name: 'South' })
  const readAgain = await admin.get(addressOf(brand_id))
  const removed = await admin.delete(addressOf(brand_id))

  assert.equal(made.statusCode, 201, made.body)
  assert.deepEqual(made.json(), { brand_id, name: 'North' })
  assert.deepEqual(read.json(), { brand_id, name: 'North' })
  assert.deepEqual(renamed.json(), { brand_id, name: 'South' })
  assert.deepEqual(readAgain.json(), { brand_id, name: 'South' })
  assert.equal(removed.statusCode, 204)
  assertProblem(await admin.get(addressOf(brand_id)), 404, 'brand.not_found')
})

const strangeIds = [
  'a/b',
  '../../accounts',
  '100%',
  '%2F',
  'a b+c',
  '?x=1#y',
  'Ünï/cødé \u{1f4fa}',
  '0',
  "'; drop table brands; --",
  '\u2028',
  'x'.repeat(255),
  '\u{1f4fa}'.repeat(255),
]

for (const brandId of strangeIds) {
  test(`a partner's id is stored as it was sent: ${JSON.stringify(brandId).slice(0, 40)}`, async () => {
    const made = await admin.post(BRANDS, { brand_id: brandId, name: 'Strange' })
    const read = await admin.get(addressOf(brandId))
    const removed = await admin.delete(addressOf(brandId))

    assert.equal(made.statusCode, 201, made.body)
    assert.deepEqual(read.json(), { brand_id: brandId, name: 'Strange' })
    assert.equal(removed.statusCode, 204)
  })
}

test('ids that differ in case, accents or blanks are different brands', async () => {
  const ids = ['brand', 'Brand', 'bränd', 'bra\u0308nd', ' brand', 'brand ']

  const answers = await Promise.all(ids.map((brand_id) => admin.post(BRANDS, { brand_id, name: brand_id })))

  for (const { statusCode, body } of answers) assert.equal(statusCode, 201, body)
  for (const brand_id of ids) {
    assert.deepEqual((await admin.get(addressOf(brand_id))).json(), { brand_id, name: brand_id })
    await admin.delete(addressOf(brand_id))
  }
})

test('an existing brand is not created again, also not concurrently', async () => {
  const brand_id = randomUUID()

  const answers = await Promise.all(
    Array.from({ length: 5 }, (_, i) => admin.post(BRANDS, { brand_id, name: `Name ${i}` })),
  )

  const rejected = answers.filter(({ statusCode }) => statusCode !== 201)
  assert.equal(rejected.length, 4)
  for (const answer of rejected) assertProblem(answer, 409, 'brand.exists')
})

test('two concurrent requests with one idempotency key create one brand and get the same response', async () => {
  const draft = { brand_id: randomUUID(), name: 'Once' }
  const key = { 'idempotency-key': randomUUID() }

  const answers = await Promise.all([admin.post(BRANDS, draft, key), admin.post(BRANDS, draft, key)])

  for (const answer of answers) {
    assert.equal(answer.statusCode, 201, answer.body)
    assert.deepEqual(answer.json(), draft)
  }
})

test('a deleted brand can be created again with a new name', async () => {
  const brand_id = randomUUID()
  await admin.post(BRANDS, { brand_id, name: 'Before' })
  await admin.delete(addressOf(brand_id))

  const again = await admin.post(BRANDS, { brand_id, name: 'After' })

  assert.equal(again.statusCode, 201, again.body)
  assert.deepEqual((await admin.get(addressOf(brand_id))).json(), { brand_id, name: 'After' })
  assertProblem(await admin.post(BRANDS, { brand_id, name: 'Third' }), 409, 'brand.exists')
})

test("another account's brand and a deleted one are not found by any operation", async () => {
  const kept = randomUUID()
  const deleted = randomUUID()
  for (const brand_id of [kept, deleted]) await admin.post(BRANDS, { brand_id, name: 'Ours' })
  await admin.delete(addressOf(deleted))

  for (const [user, brandId] of [
    [otherAdmin, kept],
    [admin, deleted],
    [admin, 'never created'],
  ] as const) {
    assertProblem(await user.get(addressOf(brandId)), 404, 'brand.not_found')
    assertProblem(await user.patch(addressOf(brandId), { name: 'Mine' }), 404, 'brand.not_found')
    assertProblem(await user.delete(addressOf(brandId)), 404, 'brand.not_found')
  }
  const theirs = await otherAdmin.post(BRANDS, { brand_id: kept, name: 'Theirs' })
  assert.equal(theirs.statusCode, 201)
  assert.deepEqual((await admin.get(addressOf(kept))).json(), { brand_id: kept, name: 'Ours' })
})

test('every role may read brands, and only an administrator may write them', async () => {
  const visitor = api.userOf(accountId, ['ROLE_ANONYMOUS'])
  const brand_id = randomUUID()
  await admin.post(BRANDS, { brand_id, name: 'Seen' })

  assert.equal((await visitor.get(BRANDS)).statusCode, 200)
  assert.equal((await visitor.get(addressOf(brand_id))).statusCode, 200)
  const operator = api.userOf(accountId, ['ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'])
  assertProblem(await operator.post(BRANDS, { brand_id: 'x', name: 'X' }), 403, 'role.missing')
  assertProblem(await operator.patch(addressOf(brand_id), { name: 'X' }), 403, 'role.missing')
  assertProblem(await operator.delete(addressOf(brand_id)), 403, 'role.missing')
})

test('every write is audited, and a rename to the same name is not a write', async () => {
  const brand_id = randomUUID()
  const address = addressOf(brand_id)
  await admin.post(BRANDS, { brand_id, name: 'Before' })
  await admin.patch(address, { name: 'Before' })
  await admin.patch(address, { name: 'After' })
  await admin.delete(address)

  const { rows } = await sql`
    select action, subject_type, before, after, user_id from audit_entries where subject_id = ${brand_id}
     order by (before is not null), (after is null)`.execute(db)

  const common = { subject_type: 'brand', user_id: admin.userId }
  const before = { brand_id, name: 'Before' }
  const after = { brand_id, name: 'After' }
  assert.deepEqual(rows, [
    { ...common, action: 'brand.create', before: null, after: before },
    { ...common, action: 'brand.change', before, after },
    { ...common, action: 'brand.delete', before: after, after: null },
  ])
})
