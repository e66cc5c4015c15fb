import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { addressesOf, operations } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { createPageCursors } from '../platform/crypto/page-cursor.ts'
import { countedTotal, pageAnswer, pageStart } from './page.ts'
import { aServer, put } from './testing/a-server.ts'
import { credentialHeaders } from './testing/credentials.ts'
import { assertProblem } from './testing/wire.ts'

const secret = randomBytes(32)
const cursors = createPageCursors(() => [secret])
const [brands] = addressesOf(operations.listBrands)
const names = ['a', 'b', 'c', 'd', 'e']

/** Serves the brands of `names`, in order, paged by cursors. */
function serveBrands(server: FastifyInstance): void {
  put(server, operations.listBrands, (call) => {
    const after = pageStart(cursors, call)?.[0] ?? ''
    const rows = names.filter((name) => name > after).slice(0, call.query.page_size + 1)
    const hitOf = (name: string) => ({ brand_id: name, name })
    return {
      ...pageAnswer(cursors, call, { rows, hitOf, keyOf: (name) => [name] }),
      total: names.length,
    }
  })
}

const get = (server: FastifyInstance, query: string, accountId = 'account-1') =>
  server.inject({ url: `${brands}${query}`, headers: credentialHeaders({ accountId }) })

interface Page {
  readonly hits: readonly { name: string }[]
  readonly page: { page_id: null; page_size: string; page_mark: string | null; page_offset: string }
}

test('following the cursors shows every row once, and the last page has none', async (t) => {
  const { server } = aServer(t)
  serveBrands(server)

  for (const size of [1, 2, 3, 4, 5, 50]) {
    const seen: string[] = []
    let mark: string | null = '0'
    for (; mark !== null; ) {
      const answer = await get(server, `?page_size=${size}&page_offset=${mark}`)
      assert.equal(answer.statusCode, 200, answer.body)
      const { hits, page }: Page = answer.json()
      assert.deepEqual({ ...page, page_mark: undefined }, envelope(size, mark))
      assert.ok(hits.length > 0)
      seen.push(...hits.map(({ name }) => name))
      mark = page.page_mark
    }
    assert.deepEqual(seen, names)
  }
})

const envelope = (size: number, offset: string) => ({
  page_id: null,
  page_size: `${size}`,
  page_mark: undefined,
  page_offset: offset,
})

test('offset 0 and no offset are the first page', async (t) => {
  const { server } = aServer(t)
  serveBrands(server)

  const [zero, nothing] = await Promise.all([get(server, '?page_offset=0'), get(server, '')])

  assert.deepEqual(zero.json(), nothing.json())
  assert.equal(zero.json<Page>().page.page_offset, '0')
})

test('the page size may change between pages', async (t) => {
  const { server } = aServer(t)
  serveBrands(server)
  const first = (await get(server, '?page_size=2')).json<Page>()

  const { hits } = (await get(server, `?page_size=3&page_offset=${first.page.page_mark}`)).json<Page>()

  assert.deepEqual(
    hits.map(({ name }) => name),
    ['c', 'd', 'e'],
  )
})

test('an invalid cursor, or one of another account, is rejected', async (t) => {
  const { server } = aServer(t)
  serveBrands(server)
  const { page } = (await get(server, '?page_size=2')).json<Page>()

  assertProblem(await get(server, `?page_offset=${page.page_mark}`, 'account-2'), 400, 'page.mark_invalid')
  for (const mark of ['', '1', '-1', '00', 'x', `${page.page_mark}A`]) {
    assertProblem(await get(server, `?page_offset=${mark}`), 400, 'page.mark_invalid')
  }
})

test('a total is exact up to ten thousand, and marked as a lower bound beyond', () => {
  assert.deepEqual(countedTotal(0), { total: 0, total_relation: 'eq' })
  assert.deepEqual(countedTotal(10_000), { total: 10_000, total_relation: 'eq' })
  assert.deepEqual(countedTotal(10_001), { total: 10_000, total_relation: 'gte' })
})
