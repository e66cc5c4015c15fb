import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Actor } from '../platform/actor.ts'
import type { Db } from '../platform/database/database.ts'
import { aDatabase } from '../platform/testing/a-database.ts'
import { addAccounts } from '../platform/testing/an-account.ts'
import { RecordChanged } from './errors.ts'
import { recordHandlers } from './record-handlers.ts'
import { anEndpoint, aServer, put } from './testing/a-server.ts'
import { credentialHeaders, NOW_MS } from './testing/credentials.ts'
import { assertProblem } from './testing/wire.ts'

const it = await aDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(it.ownerUrl, { one, other })

const { reading, changing } = recordHandlers(it.database)
const names = anEndpoint({
  access: ['ROLE_ADMIN'],
  answer: { status: 200, description: 'Names.', schema: Type.Array(Type.String()) },
})
const change = anEndpoint({
  method: 'POST',
  access: ['ROLE_ADMIN'],
  answer: { status: 204, description: 'Done.' },
})
const url = '/api/2.3/try'

const readNames = async (db: Db) => {
  const { rows } = await sql<{ name: string }>`select name from accounts`.execute(db)
  return rows.map(({ name }) => name)
}
const titleOf = async (account: string) => {
  const { rows } = await sql<{ title: string }>`select title from accounts`.execute(
    it.database.forAccount(account),
  )
  return rows[0]?.title
}
const retitle = (db: Db, title: string) => sql`update accounts set title = ${title}`.execute(db)

test('a reading handler sees only the caller’s account', async (t) => {
  const { server } = aServer(t)
  put(server, names, reading(readNames))

  for (const [accountId, name] of [
    [one, 'one'],
    [other, 'other'],
    [randomUUID(), undefined],
  ] as const) {
    const answer = await server.inject({ url, headers: credentialHeaders({ accountId }) })
    assert.deepEqual(answer.json(), name === undefined ? [] : [name])
  }
})

test('a changing handler gets the actor, and changes no other account', async (t) => {
  const { server } = aServer(t)
  const actors: Actor[] = []
  put(
    server,
    change,
    changing(async (tx, _call, actor) => {
      actors.push(actor)
      await retitle(tx, 'changed')
    }),
  )

  const headers = {
    ...credentialHeaders({ accountId: one, subjectId: 'user-7' }),
    'x-request-id': 'request-7',
  }
  const answer = await server.inject({ method: 'POST', url, headers })

  assert.equal(answer.statusCode, 204, answer.body)
  assert.deepEqual(actors, [{ accountId: one, userId: 'user-7', requestId: 'request-7', nowMs: NOW_MS }])
  assert.deepEqual([await titleOf(one), await titleOf(other)], ['changed', 'other'])
})

test('an error rolls back the changes of the handler', async (t) => {
  const { server } = aServer(t)
  put(
    server,
    change,
    changing(async (tx) => {
      await retitle(tx, 'rejected')
      throw RecordChanged()
    }),
  )

  const answer = await server.inject({
    method: 'POST',
    url,
    headers: credentialHeaders({ accountId: other }),
  })

  assertProblem(answer, 412, 'record.changed')
  assert.equal(await titleOf(other), 'other')
})

test('a connection lost in the transaction gets 503 with Retry-After, and nothing is changed', async (t) => {
  const { server } = aServer(t)
  put(
    server,
    change,
    changing(async (tx) => {
      await retitle(tx, 'lost')
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
      await sql`select pg_terminate_backend(${rows[0]!.pid}, 5000)`.execute(it.database.platform)
      await retitle(tx, 'lost again')
    }),
  )

  const answer = await server.inject({
    method: 'POST',
    url,
    headers: credentialHeaders({ accountId: other }),
  })

  assertProblem(answer, 503, 'database.unavailable')
  assert.equal(answer.headers['retry-after'], '1')
  assert.equal(await titleOf(other), 'other')
})

test('a public operation cannot access records', async (t) => {
  const { server, log } = aServer(t)
  put(
    server,
    anEndpoint({}),
    reading(async () => undefined),
  )

  assertProblem(await server.inject({ url }), 500, 'internal.error')
  assert.match(log.text(), /tryIt is public/)
})
