import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { type TestContext, test } from 'node:test'
import type { LightMyRequestResponse } from 'fastify'
import { sql } from 'kysely'
import { Type } from 'typebox'
import { openDatabase } from '../platform/database/database.ts'
import { createLog } from '../platform/log/logger.ts'
import { aDatabase } from '../platform/testing/a-database.ts'
import { addAccounts } from '../platform/testing/an-account.ts'
import { type Answer, answered, answeredText } from './answer.ts'
import { recordEtag } from './entity-tag.ts'
import { RecordChanged } from './errors.ts'
import { once, purgeIdempotencyKeys } from './idempotency.ts'
import { type Change, recordHandlers } from './record-handlers.ts'
import { anEndpoint, aServer, put } from './testing/a-server.ts'
import { credentialHeaders, NOW_MS } from './testing/credentials.ts'
import { assertProblem } from './testing/wire.ts'

const it = await aDatabase()
const one = randomUUID()
const other = randomUUID()
await addAccounts(it.ownerUrl, { one, other })

const DAY_MS = 86_400_000

/** Creates a thing, whose answer contains a secret. */
const makeThing = anEndpoint({
  id: 'makeThing',
  method: 'POST',
  path: '/things/{shelf}',
  access: ['ROLE_ADMIN'],
  params: Type.Object({ shelf: Type.String() }),
  query: Type.Object({ side: Type.Optional(Type.String()) }),
  body: Type.Object({ title: Type.String() }),
  idempotencyKey: true,
  answer: {
    status: 201,
    description: 'The thing.',
    schema: Type.Object({ title: Type.String(), secret: Type.String() }),
  },
})
/** Accepts the same body and answers without one. */
const touchThing = anEndpoint({
  id: 'touchThing',
  method: 'PUT',
  path: '/things/{shelf}',
  access: ['ROLE_ADMIN'],
  params: makeThing.params,
  query: makeThing.query,
  body: makeThing.body,
  idempotencyKey: true,
  answer: { status: 204, description: 'Done.' },
})

type Work = Change<typeof makeThing>

interface Things {
  /** The bodies of the executed requests, in requestOf. */
  readonly worked: string[]
  readonly clock: { nowMs: number }
  send(key: string | undefined, over?: Partial<Sending>): Promise<LightMyRequestResponse>
}

interface Sending {
  readonly method: 'POST' | 'PUT'
  readonly account: string
  readonly title: string
  readonly url: string
}

const workPlainly: Work = async (_tx, { body }) =>
  answered({ title: body.title, secret: `secret of ${body.title} ${randomUUID()}` }, { etag: recordEtag(3) })

function things(t: TestContext, work: Work = workPlainly): Things {
  const { server } = aServer(t)
  const { changing } = recordHandlers(it.database)
  const worked: string[] = []
  const clock = { nowMs: NOW_MS }
  const over = { clock: () => clock.nowMs }
  put(
    server,
    makeThing,
    changing((tx, call, ...rest) => {
      worked.push(call.body.title)
      return work(tx, call, ...rest)
    }),
    over,
  )
  put(
    server,
    touchThing,
    changing(async (_tx, { body }) => void worked.push(body.title)),
    over,
  )
  return {
    worked,
    clock,
    send: (key, { method = 'POST', account = one, title = 'lamp', url = '/api/2.3/things/top' } = {}) =>
      server.inject({
        method,
        url,
        headers: {
          ...credentialHeaders({ accountId: account, expiresMs: NOW_MS + 30 * DAY_MS }),
          ...(key === undefined ? {} : { 'idempotency-key': key }),
        },
        payload: { title },
      }),
  }
}

const seen = ({ statusCode, body, headers }: LightMyRequestResponse) => [statusCode, body, headers['etag']]

const countKeys = async (account: string) => {
  const { rows } = await sql<{ count: number }>`select count(*) from idempotency_keys`.execute(
    it.database.forAccount(account),
  )
  return rows[0]!.count
}

/** Resolves when a statement waits for another transaction. */
async function untilBlocked(): Promise<void> {
  for (;;) {
    const { rows } = await sql`
      select from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock'`.execute(it.database.platform)
    if (rows.length > 0) return
  }
}

test('a repeated request gets the first answer and is not executed again', async (t) => {
  const { send, worked } = things(t)
  const key = randomUUID()

  const first = await send(key)
  const again = await send(key)

  assert.equal(first.statusCode, 201, first.body)
  assert.deepEqual(seen(again), seen(first))
  assert.deepEqual(worked, ['lamp'])
})

test('without a key each request is executed', async (t) => {
  const { send, worked } = things(t)

  await send(undefined)
  await send(undefined)

  assert.deepEqual(worked, ['lamp', 'lamp'])
})

test('an empty answer is stored as such', async (t) => {
  const { send, worked } = things(t)
  const key = randomUUID()

  const answers = [await send(key, { method: 'PUT' }), await send(key, { method: 'PUT' })]

  assert.deepEqual(answers.map(seen), [
    [204, '', undefined],
    [204, '', undefined],
  ])
  assert.deepEqual(worked, ['lamp'])
})

test('a text answer is stored byte for byte', async (t) => {
  const text = '{ "title": "lamp",\n "secret": "föhr \u{1f4fa}" }'
  const { send } = things(t, async () => answeredText(text))
  const key = randomUUID()

  const first = await send(key)
  const again = await send(key)

  assert.deepEqual([first.body, again.body], [text, text])
})

test('a key of another request is rejected, and nothing is executed', async (t) => {
  const { send, worked } = things(t)
  const key = randomUUID()
  const first = await send(key)

  const others: Partial<Sending>[] = [
    { title: 'chair' },
    { url: '/api/2.3/things/bottom' },
    { url: '/api/2.3/things/top?side=left' },
    { method: 'PUT' },
  ]
  for (const over of others) assertProblem(await send(key, over), 422, 'idempotency.key_reused')

  assert.deepEqual(worked, ['lamp'])
  assert.deepEqual(seen(await send(key)), seen(first))
})

test('the same key of another account is independent', async (t) => {
  const { send, worked } = things(t)
  const key = randomUUID()

  const first = await send(key)
  const foreign = await send(key, { account: other, title: 'chair' })

  assert.equal(foreign.statusCode, 201, foreign.body)
  assert.deepEqual(worked, ['lamp', 'chair'])
  assert.deepEqual(seen(await send(key)), seen(first))
  assert.deepEqual(seen(await send(key, { account: other, title: 'chair' })), seen(foreign))
})

test('an answer is looked up by account, also without row-level security', async (t) => {
  const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
  const owner = openDatabase(it.ownerUrl, { connections: 1, logger })
  t.after(() => owner.close())
  const key = randomUUID()
  const requestOf = (accountId: string) => ({
    accountId,
    key,
    operationId: 'makeThing',
    params: {},
    query: {},
    body: { accountId },
    nowMs: NOW_MS,
  })
  const send = (accountId: string) =>
    owner.platform.transaction().execute((tx) => once(tx, requestOf(accountId), async () => accountId))

  const first = [await send(one), await send(other)]
  const again = [await send(one), await send(other)]

  assert.deepEqual(first, [one, other])
  assert.deepEqual(
    again.map((answer) => (answer as Answer<string>).text),
    [JSON.stringify(one), JSON.stringify(other)],
  )
})

test('an error is not stored and leaves no changes', async (t) => {
  const errors = [RecordChanged()]
  const { send, worked } = things(t, async (tx, call, actor, onCommit) => {
    await sql`update accounts set title = 'rejected' where account_id = ${one}`.execute(tx)
    const error = errors.pop()
    if (error !== undefined) throw error
    await sql`update accounts set title = 'one' where account_id = ${one}`.execute(tx)
    return workPlainly(tx, call, actor, onCommit)
  })
  const key = randomUUID()
  const before = await countKeys(one)

  assertProblem(await send(key, { title: 'chair' }), 412, 'record.changed')
  const { rows } = await sql`select title from accounts`.execute(it.database.forAccount(one))
  assert.deepEqual(rows, [{ title: 'one' }])
  assert.equal(await countKeys(one), before)

  // Not even the request: the caller may correct it and keep the key.
  assert.equal((await send(key)).statusCode, 201)
  assert.deepEqual(worked, ['chair', 'lamp'])
})

test('a copy that arrives while the first is running waits for its answer', async (t) => {
  const blocked = Promise.withResolvers<void>()
  const { send, worked } = things(t, async (...args) => {
    await blocked.promise
    return workPlainly(...args)
  })
  const key = randomUUID()

  const copies = [send(key), send(key), send(key)].map((copy) => copy.then(seen))
  await untilBlocked()
  blocked.resolve()
  const [first, ...rest] = await Promise.all(copies)

  assert.equal(first?.[0], 201)
  for (const copy of rest) assert.deepEqual(copy, first)
  assert.deepEqual(worked, ['lamp'])
})

test('when the first fails, the waiting copy is executed', async (t) => {
  const blocked = Promise.withResolvers<void>()
  let tries = 0
  const { send } = things(t, async (...args) => {
    tries += 1
    if (tries > 1) return workPlainly(...args)
    await blocked.promise
    throw RecordChanged()
  })
  const key = randomUUID()

  const copies = Promise.all([send(key), send(key)])
  await untilBlocked()
  blocked.resolve()

  const statuses = (await copies).map(({ statusCode }) => statusCode)
  assert.deepEqual(new Set(statuses), new Set([201, 412]))
})

test('another request with the same key that arrives meanwhile is rejected when the first has been executed', async (t) => {
  const blocked = Promise.withResolvers<void>()
  const { send } = things(t, async (...args) => {
    await blocked.promise
    return workPlainly(...args)
  })
  const key = randomUUID()

  const first = send(key)
  const wrong = send(key, { title: 'chair' })
  await untilBlocked()
  blocked.resolve()

  const statuses = [(await first).statusCode, (await wrong).statusCode]
  assert.deepEqual(new Set(statuses), new Set([201, 422]))
})

test('a key expires after 24 hours', async (t) => {
  const { send, worked, clock } = things(t)
  const key = randomUUID()
  const first = await send(key)

  clock.nowMs = NOW_MS + DAY_MS - 1
  assert.deepEqual(seen(await send(key)), seen(first))
  assertProblem(await send(key, { title: 'chair' }), 422, 'idempotency.key_reused')

  clock.nowMs = NOW_MS + DAY_MS
  const later = await send(key, { title: 'chair' })
  assert.equal(later.statusCode, 201, later.body)
  assert.deepEqual(seen(await send(key, { title: 'chair' })), seen(later))
  assert.deepEqual(worked, ['lamp', 'chair'])

  // The time counts from the request that took it over.
  clock.nowMs = NOW_MS + 2 * DAY_MS - 1
  assertProblem(await send(key), 422, 'idempotency.key_reused')
})

test('one of several copies takes over an expired key', async (t) => {
  const { send, worked, clock } = things(t)
  const key = randomUUID()
  await send(key)

  clock.nowMs = NOW_MS + 2 * DAY_MS
  const [first, ...rest] = (await Promise.all(Array.from({ length: 8 }, () => send(key)))).map(seen)

  for (const copy of rest) assert.deepEqual(copy, first)
  assert.deepEqual(worked, ['lamp', 'lamp'])
})

test('stored data cannot be read without the key', async (t) => {
  const { send } = things(t)
  const keys = [randomUUID(), randomUUID()] as const
  const { secret } = (await send(keys[0])).json() as { secret: string }
  await send(keys[1])

  const { rows } = await sql<{ text: string; request: Buffer }>`
    select encode(key_hash, 'escape') || encode(request_hash, 'escape') || encode(sealed_answer, 'escape')
             || idempotency_keys::text as text,
           request_hash as request
      from idempotency_keys where key_hash in (${digest(keys[0])}, ${digest(keys[1])})`.execute(
    it.database.forAccount(one),
  )

  assert.equal(rows.length, 2)
  for (const { text } of rows) {
    for (const clear of [secret, 'secret of', 'lamp', ...keys]) assert.ok(!text.includes(clear))
  }
  // A request can contain a password. A hash without a key could be guessed offline.
  assert.notDeepEqual(rows[0]!.request, rows[1]!.request)
})

test('after-commit work runs once, and never after an error', async (t) => {
  const happened: string[] = []
  const { send } = things(t, async (tx, call, actor, onCommit) => {
    onCommit(() => happened.push(call.body.title))
    assert.deepEqual(happened, [])
    if (call.body.title === 'chair') throw RecordChanged()
    return workPlainly(tx, call, actor, onCommit)
  })
  const key = randomUUID()

  await send(randomUUID(), { title: 'chair' })
  await send(key)
  await send(key)

  assert.deepEqual(happened, ['lamp'])
})

test('a failed commit keeps neither the effect nor the key, and runs no after-commit work', async (t) => {
  const happened: string[] = []
  const { send } = things(t, async (tx, call, actor, onCommit) => {
    onCommit(() => happened.push(call.body.title))
    // The error is caught, but the transaction has failed.
    await sql`select 1 / 0`.execute(tx).catch(() => {})
    return workPlainly(tx, call, actor, onCommit)
  })
  const before = await countKeys(one)

  assertProblem(await send(randomUUID()), 500, 'internal.error')

  assert.deepEqual(happened, [])
  assert.equal(await countKeys(one), before)
})

test('the purge deletes expired keys only', async (t) => {
  const { send, clock } = things(t)
  const key = randomUUID()
  await send(key)
  clock.nowMs = NOW_MS + DAY_MS / 2
  const kept = randomUUID()
  const first = await send(kept)

  await purgeIdempotencyKeys(it.database.platform, NOW_MS + DAY_MS + 1)

  const { rows } = await sql<{ hash: Buffer }>`select key_hash as hash from idempotency_keys`.execute(
    it.database.forAccount(one),
  )
  assert.ok(!rows.some(({ hash }) => hash.equals(digest(key))))
  assert.deepEqual(seen(await send(kept)), seen(first))
})

const digest = (text: string) => createHash('sha256').update(text).digest()
