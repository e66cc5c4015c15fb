import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type AnswerOf, operations } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { aServer, put } from '../../http/testing/a-server.ts'
import { credentialHeaders } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import type { Actor } from '../../platform/actor.ts'
import { createPageCursors } from '../../platform/crypto/page-cursor.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { anActor } from '../../platform/testing/an-actor.ts'
import { recordAudit } from './index.ts'
import { auditRoutes } from './routes.ts'

const it = await aDatabase()
const secret = randomBytes(32)
const pageCursors = createPageCursors(() => [secret])
const AT_MS = Date.parse('2026-03-01T18:00:00Z')

/** A separate account for each test, so that no test counts another's entries. */
async function anAccount(): Promise<string> {
  const id = randomUUID()
  await addAccounts(it.ownerUrl, { [id]: id })
  return id
}

async function record(actor: Actor, subjectId: string, action = 'brand.change'): Promise<void> {
  const change = { before: { name: 'old' }, after: { name: subjectId } }
  await it.database
    .forAccount(actor.accountId)
    .transaction()
    .execute((tx) => recordAudit(tx, actor, { action, subjectType: 'brand', subjectId, ...change }))
}

function serveAudit(server: FastifyInstance): void {
  put(server, operations.listAudit, auditRoutes({ database: it.database, pageCursors }).listAudit)
}

type Page = AnswerOf<typeof operations.listAudit>

async function getAudit(server: FastifyInstance, accountId: string, query = ''): Promise<Page> {
  const headers = credentialHeaders({ accountId, roles: ['ROLE_ADMIN'] })
  const answer = await server.inject({ url: `/api/2.3/audit${query}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

const subjects = ({ hits }: Page) => hits.map(({ subject_id }) => subject_id)

test('an entry has the user, the action, the record before and after, the time and the request id', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const accountId = await anAccount()
  const userId = randomUUID()
  await record({ accountId, userId, requestId: 'request-1', nowMs: AT_MS }, 'north')

  const { hits, total, total_relation } = await getAudit(server, accountId)

  assert.deepEqual([total, total_relation], [1, 'eq'])
  assert.deepEqual(hits, [
    {
      audit_id: hits[0]?.audit_id,
      at: '2026-03-01T18:00:00.000Z',
      user_id: userId,
      action: 'brand.change',
      subject_type: 'brand',
      subject_id: 'north',
      before: { name: 'old' },
      after: { name: 'north' },
      request_id: 'request-1',
    },
  ])
})

test('every JSON value is returned as recorded', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const accountId = await anAccount()
  const values = [['a', ['b']], 'text', 7, false, {}, [], null, undefined]
  for (const [index, value] of values.entries()) {
    await it.database
      .forAccount(accountId)
      .transaction()
      .execute((tx) =>
        recordAudit(tx, anActor(accountId, { nowMs: AT_MS + index }), {
          action: 'brand.change',
          subjectType: 'brand',
          subjectId: 'north',
          before: value,
          after: null,
        }),
      )
  }

  const { hits } = await getAudit(server, accountId)

  assert.deepEqual(hits.map(({ before }) => before).toReversed(), [...values.slice(0, -1), null])
})

test('a change that is rolled back leaves no entry', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const accountId = await anAccount()
  const work = it.database
    .forAccount(accountId)
    .transaction()
    .execute(async (tx) => {
      const entry = { action: 'brand.create', subjectType: 'brand', subjectId: 'north' }
      await recordAudit(tx, anActor(accountId), { ...entry, before: null, after: {} })
      throw new Error('rejected after all')
    })

  await assert.rejects(work, /after all/)
  assert.deepEqual((await getAudit(server, accountId)).hits, [])
})

test('pages list the newest entry first and are stable while new entries are added', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const accountId = await anAccount()
  const names = Array.from({ length: 7 }, (_, index) => `brand-${index}`)
  for (const [index, name] of names.entries()) {
    await record(anActor(accountId, { nowMs: AT_MS + index }), name)
  }

  const seen: string[] = []
  let mark: string | null = '0'
  while (mark !== null) {
    const page = await getAudit(server, accountId, `?page_size=3&page_offset=${mark}`)
    seen.push(...subjects(page))
    mark = page.page.page_mark
    await record(anActor(accountId, { nowMs: AT_MS + 1_000 }), 'newer')
  }

  assert.deepEqual(seen, names.toReversed())
})

test('entries are filtered by user, subject and time; from is inclusive, to exclusive', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const accountId = await anAccount()
  const [anna, bert] = [randomUUID(), randomUUID()]
  await record(anActor(accountId, { nowMs: AT_MS, userId: anna }), 'north')
  await record(anActor(accountId, { nowMs: AT_MS + 1_000, userId: bert }), 'south')
  await record(anActor(accountId, { nowMs: AT_MS + 2_000, userId: anna }), 'south')
  const show = async (query: string) => {
    const page = await getAudit(server, accountId, `?${query}`)
    assert.equal(page.total, page.hits.length)
    return page.hits.map(({ at }) => (Date.parse(at) - AT_MS) / 1_000)
  }

  assert.deepEqual(await show(''), [2, 1, 0])
  assert.deepEqual(await show(`user_id=${anna}`), [2, 0])
  assert.deepEqual(await show('subject_id=south'), [2, 1])
  assert.deepEqual(await show(`subject_id=south&user_id=${anna}`), [2])
  assert.deepEqual(await show('from=2026-03-01T18:00:01Z'), [2, 1])
  assert.deepEqual(await show('to=2026-03-01T18:00:01Z'), [0])
  assert.deepEqual(await show('from=2026-03-01T18:00:01Z&to=2026-03-01T18:00:02Z'), [1])
  assert.deepEqual(await show('from=0001-01-01T00:00:00Z&to=9999-12-31T23:59:59Z'), [2, 1, 0])
  assert.deepEqual(await show('to=0001-01-01T00:00:00Z'), [])
  for (const unknown of ['unknown', randomUUID(), anna.toUpperCase()]) {
    assert.deepEqual(await show(`user_id=${unknown}`), [], unknown)
  }
})

test('a page mark is valid only for its own account and filter', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const [accountId, otherId] = [await anAccount(), await anAccount()]
  await record(anActor(accountId, { nowMs: AT_MS }), 'north')
  await record(anActor(accountId, { nowMs: AT_MS + 1 }), 'north')
  const { page } = await getAudit(server, accountId, '?page_size=1')
  const assertRejected = async (account: string, query: string) => {
    const headers = credentialHeaders({ accountId: account })
    const url = `/api/2.3/audit?page_size=1&page_offset=${page.page_mark}${query}`
    assertProblem(await server.inject({ url, headers }), 400, 'page.mark_invalid')
  }

  await assertRejected(otherId, '')
  await assertRejected(accountId, '&subject_id=north')
  await assertRejected(accountId, '&to=2026-03-01T18:00:00Z')
})

test('another account’s entries are neither listed nor counted', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const [accountId, otherId] = [await anAccount(), await anAccount()]
  await record(anActor(accountId, { nowMs: AT_MS }), 'north')

  const { hits, total } = await getAudit(server, otherId, '?subject_id=north')

  assert.deepEqual([hits, total], [[], 0])
})

test('a total is counted to ten thousand', async (t) => {
  const { server } = aServer(t)
  serveAudit(server)
  const accountId = await anAccount()
  await sql`insert into audit_entries (account_id, audit_id, at_ms, action, subject_type, subject_id)
    select ${accountId}, gen_random_uuid(), 0, 'brand.change', 'brand', 'north' from generate_series(1, 10000)`.execute(
    it.database.forAccount(accountId),
  )

  const exact = await getAudit(server, accountId)
  await record(anActor(accountId, { nowMs: AT_MS }), 'north')
  const more = await getAudit(server, accountId)

  assert.deepEqual([exact.total, exact.total_relation], [10_000, 'eq'])
  assert.deepEqual([more.total, more.total_relation], [10_000, 'gte'])
})

test('entries cannot be updated or deleted', async () => {
  const accountId = await anAccount()
  const db = it.database.forAccount(accountId)
  await record(anActor(accountId), 'north')

  await assert.rejects(sql`update audit_entries set action = 'nothing'`.execute(db), /permission denied/)
  await assert.rejects(sql`delete from audit_entries`.execute(db), /permission denied/)
  await assert.rejects(sql`truncate audit_entries`.execute(db), /permission denied/)
})
