import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { type ApiUser, anApi, somePageMarks } from '../../app/testing/an-api.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { queryPlans } from '../../platform/testing/query-plan.ts'
import { selectBrandList } from './brand-store.ts'
import { catalogRoutes } from './routes.ts'

const { database, ownerUrl, serviceUrl } = await aDatabase()
const api = await anApi(
  catalogRoutes({
    database,
    pageMarks: somePageMarks(),
    isHeld: async () => false,
    mediaBase: '',
  }),
)
const BRANDS = '/api/2.1/brands'

interface BrandPage {
  readonly hits: readonly { readonly brand_id: string; readonly name: string }[]
  readonly page: { readonly page_mark: string | null }
  readonly total: number
}

test('without brands there is one page, and it is empty', async () => {
  const admin = await anAdmin()

  const answer = await admin.get<BrandPage>(BRANDS)

  const page = { page_id: null, page_size: '30', page_mark: null, page_offset: '0' }
  assert.deepEqual(answer.json(), { hits: [], page, total: 0 })
})

test('brands go by name, without regard to case and accents, then by id', async () => {
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

test('every page tells how many there are, after each of them came, changed or went', async () => {
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

test('the total is right after many writes at once', async () => {
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

test('a brand that several delete at once is deleted and counted once', async () => {
  const admin = await anAdmin()
  await makeBrands(admin, [['kept', 'Kept']])

  for (let round = 0; round < 10; round += 1) {
    await makeBrands(admin, [['gone', 'Gone']])
    const answers = await Promise.all(Array.from({ length: 5 }, () => admin.delete(`${BRANDS}/gone`)))
    const refused = answers.filter(({ statusCode }) => statusCode !== 204)
    assert.equal(refused.length, 4)
    for (const answer of refused) assertProblem(answer, 404, 'brand.not_found')
    assert.equal((await admin.get<BrandPage>(BRANDS)).json().total, 1)
  }
})

test('reading on passes over no brand and repeats none, whatever comes and goes meanwhile', async () => {
  const admin = await anAdmin()
  const lasting = Array.from({ length: 20 }, (_, i) => `lasting ${String(i).padStart(2, '0')}`)
  await makeBrands(
    admin,
    lasting.map((name) => [name, name]),
  )
  const seen: string[] = []

  let mark: string | null = '0'
  for (let i = 0; mark !== null; i += 1) {
    const { hits, page } = await pageAt(admin, 3, mark)
    seen.push(...hits.map((hit) => hit.brand_id))
    mark = page.page_mark
    // New ones before the place and after it; and the very brand that the mark was made of goes or moves.
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

test('the longest names and ids that there can be have a mark too', async () => {
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

test('a mark is good for its own account, and nothing else is one', async () => {
  const [admin, stranger] = [await anAdmin(), await anAdmin()]
  for (const user of [admin, stranger]) {
    await makeBrands(user, [
      ['a', 'A'],
      ['b', 'B'],
    ])
  }
  const { page } = await pageAt(admin, 1, '0')

  for (const [user, mark] of [
    [stranger, page.page_mark!],
    [admin, '1'],
    [admin, `${page.page_mark}A`],
  ] as const) {
    const answer = await user.get(`${BRANDS}?page_size=1&page_offset=${mark}`)
    assertProblem(answer, 400, 'page.mark_invalid')
  }
})

test('a page is read from the index, however many brands there are', async () => {
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

/** Of an account of its own, so that no test finds another's brands. */
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

async function pageAt(admin: ApiUser, size: number, mark: string): Promise<BrandPage> {
  const answer = await admin.get<BrandPage>(`${BRANDS}?page_size=${size}&page_offset=${mark}`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

async function pagesOf(admin: ApiUser, size: number): Promise<BrandPage[]> {
  const pages: BrandPage[] = []
  for (let mark: string | null = '0'; mark !== null; ) {
    const page = await pageAt(admin, size, mark)
    pages.push(page)
    mark = page.page.page_mark
  }
  return pages
}
