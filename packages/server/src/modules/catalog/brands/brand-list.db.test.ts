import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type ApiUser, anApi, somePageCursors } from '../../../http/testing/an-api.ts'
import { assertProblem } from '../../../http/testing/wire.ts'
import { aDatabase } from '../../../platform/testing/a-database.ts'
import { addAccounts } from '../../../platform/testing/an-account.ts'
import { queryPlans } from '../../../platform/testing/query-plan.ts'
import { selectBrandList } from '../records/brand-store.ts'
import { catalogRoutes } from '../routes.ts'

const { database, ownerUrl, serviceUrl } = await aDatabase()
const api = await anApi(
  catalogRoutes({
    database,
    pageCursors: somePageCursors(),
    isReferenced: async () => false,
    mediaBase: '',
  }),
)
const BRANDS = '/api/2.1/brands'

interface BrandPage {
  readonly hits: readonly { readonly brand_id: string; readonly name: string }[]
  readonly page: { readonly page_mark: string | null }
  readonly total: number
}

test('without brands the list is one empty page', async () => {
  const admin = await anAdmin()

  const answer = await admin.get<BrandPage>(BRANDS)

  const page = { page_id: null, page_size: '30', page_mark: null, page_offset: '0' }
  assert.deepEqual(answer.json(), { hits: [], page, total: 0 })
})

test('brands are sorted by name, ignoring case and accents, then by id', async () => {
  const admin = await anAdmin()
  await makeBrands(admin, [
    ['4', 'zebra'],
    ['3', 'Elan'],
    ['b', 'élan'],
    ['a', 'ELAN'],
    ['2', 'Zebra'],
    ['1', 'Årsta'],
  ])

  const ids = (await pagesOf(admin, 4)).map(({ hits }) => hits.map((hit) => hit.brand_id))

  assert.deepEqual(ids, [
    ['1', '3', 'a', 'b'],
    ['2', '4'],
  ])
})

test('every page has the total, also after brands were created, renamed and deleted', async () => {
  const admin = await anAdmin()
  await makeBrands(admin, [
    ['a', 'A'],
    ['b', 'B'],
    ['c', 'C'],
  ])
  await admin.patch(`${BRANDS}/a`, { name: 'D' })
  await admin.delete(`${BRANDS}/b`)
  await admin.delete(`${BRANDS}/b`)
  await admin.delete(`${BRANDS}/c`)
  await admin.post(BRANDS, { brand_id: 'c', name: 'C' })
  await admin.post(BRANDS, { brand_id: 'c', name: 'C' })

  const pages = await pagesOf(admin, 1)

  assert.deepEqual(
    pages.map(({ hits, total }) => [hits[0]?.brand_id, total]),
    [
      ['c', 2],
      ['a', 2],
    ],
  )
})

test('the total is right after concurrent writes', async () => {
  const admin = await anAdmin()
  const ids = ['a', 'b', 'c', 'd']

  for (let round = 0; round < 10; round += 1) {
    await Promise.all(
      ids.flatMap((brand_id) => [
        admin.post(BRANDS, { brand_id, name: brand_id }),
        admin.delete(`${BRANDS}/${brand_id}`),
        admin.post(BRANDS, { brand_id, name: brand_id }),
      ]),
    )
    const { hits, total } = (await admin.get<BrandPage>(BRANDS)).json()
    assert.equal(total, hits.length)
  }
})

test('a brand that is deleted concurrently is deleted and counted once', async () => {
  const admin = await anAdmin()
  await makeBrands(admin, [['kept', 'Kept']])

  for (let round = 0; round < 10; round += 1) {
    await makeBrands(admin, [['gone', 'Gone']])
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.delete(`${BRANDS}/gone`)))
    const rejected = answers.filter(({ statusCode }) => statusCode !== 204)
    assert.equal(rejected.length, 4)
    for (const answer of rejected) assertProblem(answer, 404, 'brand.not_found')
    assert.equal((await admin.get<BrandPage>(BRANDS)).json().total, 1)
  }
})

test('paging skips no brand and repeats none, whatever is created and deleted meanwhile', async () => {
  const admin = await anAdmin()
  const lasting = Array.from({ length: 20 }, (_, i) => `lasting ${String(i).padStart(2, '0')}`)
  await makeBrands(
    admin,
    lasting.map((name) => [name, name]),
  )
  const seen: string[] = []

  let cursor: string | null = '0'
  for (let i = 0; cursor !== null; i += 1) {
    const { hits, page } = await pageAt(admin, 3, cursor)
    seen.push(...hits.map((hit) => hit.brand_id))
    cursor = page.page_mark
    // New ones before and after the cursor; and the brand that the cursor was made from is deleted or renamed.
    await makeBrands(admin, [
      [`early ${i}`, `a ${i}`],
      [`late ${i}`, `z ${i}`],
    ])
    const last = hits.at(-1)?.brand_id ?? ''
    if (i % 2 === 0) await admin.delete(`${BRANDS}/${last}`)
    else await admin.patch(`${BRANDS}/${last}`, { name: `b ${i}` })
  }

  assert.deepEqual(
    seen.filter((id) => id.startsWith('lasting')),
    lasting,
  )
  assert.equal(new Set(seen).size, seen.length)
})

test('the longest names and ids fit into a cursor', async () => {
  const admin = await anAdmin()
  const longest = ['\u{1f4fa}', '\ufdfa', '"', 'ß'].map((character) => character.repeat(255))
  await makeBrands(
    admin,
    longest.flatMap((name) => ['\u{1f4fa}', '\uffff', '"'].map((c) => [c.repeat(254) + [...name][0], name])),
  )

  const pages = await pagesOf(admin, 1)

  const ids = pages.flatMap(({ hits }) => hits.map((hit) => hit.brand_id))
  assert.equal(new Set(ids).size, 12)
  assert.equal(ids.length, 12)
})

test('a cursor is valid only for its own account, and other text is rejected', async () => {
  const [admin, otherAdmin] = [await anAdmin(), await anAdmin()]
  for (const user of [admin, otherAdmin]) {
    await makeBrands(user, [
      ['a', 'A'],
      ['b', 'B'],
    ])
  }
  const { page } = await pageAt(admin, 1, '0')

  for (const [user, cursor] of [
    [otherAdmin, page.page_mark!],
    [admin, '1'],
    [admin, `${page.page_mark}A`],
  ] as const) {
    const answer = await user.get(`${BRANDS}?page_size=1&page_offset=${cursor}`)
    assertProblem(answer, 400, 'page.mark_invalid')
  }
})

test('a page is read from the index, however many brands exist', async () => {
  const ids = { big: randomUUID(), small: randomUUID() }
  await addAccounts(ownerUrl, ids)
  for (const [name, count] of [
    ['big', 20_000],
    ['small', 100],
  ] as const) {
    await sql`
      insert into brands (account_id, brand_id, name, name_order, created_ms, updated_ms)
      select ${ids[name]}, 'id ' || i, 'Brand ' || i, 'brand ' || i, 0, 0
        from generate_series(1, ${count}::integer) as i`.execute(database.forAccount(ids[name]))
  }
  const list = selectBrandList(ids.big, { nameOrder: 'brand 5', brandId: 'id 5' }, 31)
  const query = { compile: () => list.compile(database.forAccount(ids.big)) }

  const plans = await queryPlans(serviceUrl, ids.big, query)

  for (const steps of Object.values(plans)) {
    const reading = steps.find(({ index }) => index === 'brands_in_order')
    assert.match(reading?.type ?? JSON.stringify(steps), /^Index (Only )?Scan$/)
    assert.doesNotMatch(reading?.filter ?? '', /name_order/)
  }
})

/** Of an account of its own, so that tests do not see each other's brands. */
async function anAdmin(): Promise<ApiUser> {
  const accountId = randomUUID()
  await addAccounts(ownerUrl, { [accountId]: accountId })
  return api.userOf(accountId)
}

async function makeBrands(admin: ApiUser, brands: readonly (readonly [string, string])[]): Promise<void> {
  for (const [brand_id, name] of brands) {
    const answer = await admin.post(BRANDS, { brand_id, name })
    assert.equal(answer.statusCode, 201, answer.body)
  }
}

async function pageAt(admin: ApiUser, size: number, cursor: string): Promise<BrandPage> {
  const answer = await admin.get<BrandPage>(`${BRANDS}?page_size=${size}&page_offset=${cursor}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function pagesOf(admin: ApiUser, size: number): Promise<BrandPage[]> {
  const pages: BrandPage[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const page = await pageAt(admin, size, cursor)
    pages.push(page)
    cursor = page.page.page_mark
  }
  return pages
}
