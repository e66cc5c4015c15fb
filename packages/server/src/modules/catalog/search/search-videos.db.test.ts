import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ApiUser } from '../../../http/testing/an-api.ts'
import { aCatalogApi, made, SEARCH, SERIES, VIDEOS, type WirePage } from '../testing/a-catalog-api.ts'

const { anAccount } = await aCatalogApi()

interface WireVideo {
  readonly title: string
}

test('a filter finds videos by the existence of a value', async () => {
  const { admin } = await anAccount()
  const { series_id } = await made<{ series_id: string }>(admin, SERIES, { title: 'Harbour Nights' })
  const filled = { cut: 'long', keywords: ['ferry'], season_number: 1, date_expired: '2030-01-01T00:00:00Z' }
  await made(admin, VIDEOS, { title: 'filled', duration: 60, series_id, ...filled })
  await made(admin, VIDEOS, { title: 'bare', duration: 60 })
  const find = async (filter: object) => (await search(admin, { filter })).hits.map(({ title }) => title)

  for (const field of ['series_id', ...Object.keys(filled)]) {
    assert.deepEqual(await find({ exists: field }), ['filled'], field)
    assert.deepEqual(await find({ not: { exists: field } }), ['bare'], field)
  }
  for (const field of ['video_id', 'title', 'duration', 'date_created', 'last_updated']) {
    assert.equal((await find({ exists: field })).length, 2, field)
    assert.deepEqual(await find({ not: { exists: field } }), [], field)
  }
})

test('a filter with a number beyond the range of the column finds nothing, without an error', async () => {
  const { admin } = await anAccount()
  await made(admin, VIDEOS, { title: 'one', duration: 60, season_number: 1 })
  const find = async (filter: object) => (await search(admin, { filter })).hits.map(({ title }) => title)

  for (const value of [-3_000_000_000, 3_000_000_000, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER]) {
    assert.deepEqual(await find({ in: { season_number: [value] } }), [], `${value}`)
    assert.deepEqual(await find({ in: { season_number: [value, 1] } }), ['one'], `${value}`)
  }
})

test('the total of a search counts all matches and nothing else, on every page', async () => {
  const { admin, visitor } = await anAccount()
  const kinds = [
    [3, {}],
    [1, { status: 'DRAFT' }],
    [2, { duration: 600 }],
    [3, { description: 'With a night train' }],
  ] as const
  for (const [count, over] of kinds) {
    const draft = { title: 'Harbour', duration: 60, status: 'READY', ...over }
    for (let i = 0; i < count; i += 1) await made(admin, VIDEOS, draft)
  }
  const sort = { field: 'date_published', order: 'DESC' }
  const searches = [
    { name: 'all', user: admin, body: { query: 'harbour' }, total: 9 },
    { name: 'visible', user: visitor, body: { query: 'harbour' }, total: 8 },
    { name: 'short', user: admin, body: { query: 'harbour', filter: { lt: { duration: 600 } } }, total: 7 },
    { name: 'without a phrase', user: admin, body: { query: 'harbour -"night train"' }, total: 6 },
  ]

  for (const { name, user, body, total } of searches) {
    const totals = await totalsOf(user, { ...body, sort })
    assert.deepEqual(totals, Array<number>(Math.ceil(total / 2)).fill(total), name)
  }
})

/** The total of each page. */
async function totalsOf(user: ApiUser, body: object): Promise<number[]> {
  const totals: number[] = []
  for (let cursor: string | null = '0'; cursor !== null; ) {
    const { total, page }: WirePage<WireVideo> = await search(
      user,
      body,
      `?page_size=2&page_offset=${cursor}`,
    )
    totals.push(total)
    cursor = page.page_mark
  }
  return totals
}

async function search(user: ApiUser, body: object, page = ''): Promise<WirePage<WireVideo>> {
  const answer = await user.post<WirePage<WireVideo>>(`${SEARCH}${page}`, body)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}
