import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Webhook as Verifier } from 'standardwebhooks'
import type { ApiUser } from '../../app/testing/an-api.ts'
import { NOW_MS } from '../../http/testing/credentials.ts'
import type { Db } from '../../platform/database/database.ts'
import { replayWebhook } from './replay.ts'
import { aWebhook, aWebhookWorld, type MadeWebhook, WEBHOOKS } from './testing/a-webhook-world.ts'
import { anEndpoint, until } from './testing/an-endpoint.ts'

const world = await aWebhookWorld()
const { time } = world
const HOUR_MS = 3_600_000

test('events of the kinds that are followed arrive signed, those of a subject in order', async (t) => {
  const { admin, happen } = await world.anAccount()
  await using endpoint = await anEndpoint()
  await happen('before')
  const { secret } = await aWebhook(admin, endpoint.url, { kinds: ['channel.*'] })
  world.aWorker(t, [endpoint.port])

  for (let i = 0; i < 20; i += 1) {
    await happen(`subject-${i % 4}`, `channel.n${i}`)
    await happen('other', 'live_source.changed')
  }
  await until(() => endpoint.received.length === 20)

  for (let subject = 0; subject < 4; subject += 1) {
    const kinds = endpoint.received.filter(({ subjectId }) => subjectId === `subject-${subject}`)
    assert.deepEqual(
      kinds.map(({ type }) => type),
      [0, 4, 8, 12, 16].map((n) => `channel.n${n + subject}`),
    )
  }
  for (const { body, headers } of endpoint.received) {
    // Signed with the time of the platform's clock, which stands still here.
    assert.equal(headers['webhook-timestamp'], `${NOW_MS / 1_000}`)
    assert.throws(() => new Verifier('whsec_AAAA').verify(body, headers))
    assert.ok(isSigned(secret, body, headers))
  }
})

/** The package looks at the time too, which is not that of the test. */
function isSigned(secret: string, body: string, headers: Readonly<Record<string, string>>): boolean {
  const verifier = new Verifier(secret)
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  return headers['webhook-signature']!.split(' ').includes(verifier.sign(headers['webhook-id']!, at, body))
}

test('while a secret is rotated both sign, and then the new one alone', async (t) => {
  const { admin } = await world.anAccount()
  await using endpoint = await anEndpoint()
  const { webhook_id, secret } = await aWebhook(admin, endpoint.url)
  const path = `${WEBHOOKS}/${webhook_id}`
  world.aWorker(t, [endpoint.port])
  const rotated = (await admin.post<MadeWebhook>(`${path}/rotate_secret`)).json()

  await admin.post(`${path}/test`)
  await until(() => endpoint.received.length === 1)
  await admin.patch(path, { previous_secret_until: null })
  await admin.post(`${path}/test`)
  await until(() => endpoint.received.length === 2)

  const [both, one] = endpoint.received
  assert.ok(
    isSigned(secret, both!.body, both!.headers) && isSigned(rotated.secret, both!.body, both!.headers),
  )
  assert.ok(!isSigned(secret, one!.body, one!.headers) && isSigned(rotated.secret, one!.body, one!.headers))
})

test('a failed delivery is tried again under its id, holds up its subject and no other', async (t) => {
  const { admin, happen } = await world.anAccount()
  await using endpoint = await anEndpoint((received, response) => {
    response.statusCode = received.subjectId === 'stuck' ? 500 : 200
    response.end('no room')
  })
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  world.aWorker(t, [endpoint.port])

  await happen('stuck', 'channel.first')
  await happen('stuck', 'channel.second')
  await happen('free', 'channel.first')
  await until(() => endpoint.received.some(({ subjectId }) => subjectId === 'free'))
  await until(async () => (await listed(admin, webhook_id)).some(({ response }) => response?.status === 500))
  const tried = endpoint.received.filter(({ subjectId }) => subjectId === 'stuck')
  const stuckOnes = (await listed(admin, webhook_id)).filter(({ request }) => request.body.includes('stuck'))
  const [failed, waiting] = stuckOnes.toSorted(byKind)
  endpoint.respondWith((_, response) => response.end('ok'))
  time.nowMs += 10_000
  await until(() => endpoint.received.filter(({ subjectId }) => subjectId === 'stuck').length === 3)

  assert.deepEqual(
    tried.map(({ type }) => type),
    ['channel.first'],
  )
  assert.deepEqual([waiting!.state, waiting!.next_attempt_at, waiting!.response], ['PENDING', null, null])
  assert.deepEqual(
    [failed!.state, failed!.attempts, failed!.response!.body, failed!.request.url],
    ['PENDING', 1, 'no room', endpoint.url],
  )
  const stuck = endpoint.received.filter(({ subjectId }) => subjectId === 'stuck')
  assert.deepEqual(
    stuck.map(({ type }) => type),
    ['channel.first', 'channel.first', 'channel.second'],
  )
  assert.equal(stuck[0]!.id, stuck[1]!.id)
  assert.equal(stuck[0]!.body, stuck[1]!.body)
})

test('a redirect is a failure, and an address that is not allowed is not connected to', async (t) => {
  const { admin, happen } = await world.anAccount()
  await using inner = await anEndpoint()
  await using endpoint = await anEndpoint((_, response) => {
    response.writeHead(302, { location: inner.url }).end()
  })
  const redirected = await aWebhook(admin, endpoint.url)
  const forbidden = await aWebhook(admin, inner.url)
  world.aWorker(t, [endpoint.port])

  await happen('any')
  const responseOf = async (id: string) => (await listed(admin, id))[0]?.response ?? undefined
  await until(async () => (await responseOf(redirected.webhook_id)) !== undefined)
  await until(async () => (await responseOf(forbidden.webhook_id)) !== undefined)

  assert.equal((await responseOf(redirected.webhook_id))!.status, 302)
  assert.equal((await responseOf(forbidden.webhook_id))!.error, 'address.forbidden')
  assert.equal(inner.received.length, 0)
})

test('410 pauses with an alert; resumed, what was pending and what happened meanwhile arrive', async (t) => {
  const { admin, happen } = await world.anAccount()
  await using endpoint = await anEndpoint((_, response) => void response.writeHead(410).end())
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  const path = `${WEBHOOKS}/${webhook_id}`
  const statusOf = async () => (await admin.get<MadeWebhook>(path)).json()
  world.aWorker(t, [endpoint.port])

  await happen('one', 'channel.first')
  await until(async () => (await statusOf()).status === 'PAUSED')
  const paused = await statusOf()
  const alerts = await openAlerts(admin, webhook_id)
  await happen('one', 'channel.second')
  endpoint.respondWith((_, response) => response.end())
  await admin.patch(path, { status: 'ACTIVE' })
  await until(() => endpoint.received.filter(({ type }) => type.startsWith('channel.')).length === 3)

  assert.equal(paused.status_reason, 'GONE')
  assert.deepEqual(alerts, ['webhook.paused'])
  const kinds = endpoint.received.map(({ type }) => type).filter((type) => type.startsWith('channel.'))
  assert.deepEqual(kinds, ['channel.first', 'channel.first', 'channel.second'])
  assert.deepEqual(await openAlerts(admin, webhook_id), [])
})

test('an endpoint that fails for 24 hours is paused; a delivery alone that does is given up', async (t) => {
  const { admin, happen, db } = await world.anAccount()
  await using down = await anEndpoint((_, response) => void response.writeHead(500).end())
  await using picky = await anEndpoint((received, response) => {
    response.writeHead(received.subjectId === 'bad' ? 500 : 200).end()
  })
  const paused = await aWebhook(admin, down.url)
  const active = await aWebhook(admin, picky.url)
  world.aWorker(t, [down.port, picky.port])

  await happen('bad', 'channel.first')
  await happen('bad', 'channel.second')
  let before = 0
  for (let hour = 0; hour <= 25; hour += 1) {
    await happen(`good-${hour}`)
    await until(() => picky.received.some(({ subjectId }) => subjectId === `good-${hour}`))
    await until(async () => {
      const { status } = (await admin.get<MadeWebhook>(`${WEBHOOKS}/${paused.webhook_id}`)).json()
      return status === 'PAUSED' || down.received.length > before
    })
    await settled(db)
    before = down.received.length
    time.nowMs += 1.2 * HOUR_MS
  }

  const read = async (id: string) => (await admin.get<MadeWebhook>(`${WEBHOOKS}/${id}`)).json()
  assert.equal((await read(paused.webhook_id)).status_reason, 'FAILING')
  assert.deepEqual(await openAlerts(admin, paused.webhook_id), ['webhook.paused'])
  assert.equal((await read(active.webhook_id)).status, 'ACTIVE')
  const bad = (await listed(admin, active.webhook_id)).filter(({ request }) => request.body.includes('"bad"'))
  assert.deepEqual(
    bad.toSorted(byKind).map(({ kind, state }) => [kind, state]),
    [
      ['channel.first', 'FAILED'],
      ['channel.second', 'PENDING'],
    ],
  )
  assert.ok(
    picky.received.some(({ type }) => type === 'channel.second'),
    'the next of the subject is tried',
  )
})

test('a replay sends what happened from a time on again, under the same ids, and in order', async (t) => {
  const { admin, happen, accountId, db } = await world.anAccount()
  await using endpoint = await anEndpoint()
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  const before = world.aWorker(t, [endpoint.port])
  await happen('one', 'channel.a')
  await until(() => endpoint.received.length === 1)
  // A lease of before the jump would end with it.
  await before.stop()
  time.nowMs += HOUR_MS
  world.aWorker(t, [endpoint.port])
  const from = new Date(time.nowMs).toISOString()
  for (const kind of ['channel.b', 'channel.c']) await happen('one', kind)
  await until(() => endpoint.received.length === 3)
  const ids = endpoint.received.map(({ id }) => id)

  // The API's clock stands still at the beginning of the test; this is its future.
  await db.transaction().execute(async (tx) => {
    const actor = { accountId: accountId, userId: null, requestId: null, nowMs: time.nowMs }
    await replayWebhook(tx, actor, webhook_id, Date.parse(from))
  })
  await until(
    () => endpoint.received.length >= 5,
    () => {
      time.nowMs += 10_000
    },
  )

  assert.deepEqual([...new Set(endpoint.received.slice(3).map(({ id }) => id))], ids.slice(1))
})

test('a worker that stops leaves its webhooks to another at once', async (t) => {
  const { admin, happen } = await world.anAccount()
  await using endpoint = await anEndpoint()
  await aWebhook(admin, endpoint.url)
  const first = world.aWorker(t, [endpoint.port])
  await happen('one')
  await until(() => endpoint.received.length === 1)
  await first.stop()

  world.aWorker(t, [endpoint.port])
  await happen('one')

  await until(() => endpoint.received.length === 2)
})

test('no two workers serve one webhook, and a lease that nobody gives back ends by itself', async (t) => {
  const { admin, happen, db } = await world.anAccount()
  await using endpoint = await anEndpoint()
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  for (let i = 0; i < 3; i += 1) world.aWorker(t, [endpoint.port])
  for (let i = 0; i < 30; i += 1) await happen(`subject-${i % 3}`, `channel.n${i}`)
  await until(() => endpoint.received.length >= 30)
  // As a worker leaves it that was killed.
  await sql`update webhook_progress set lease = gen_random_uuid(), lease_until_ms = ${time.nowMs + 10_000}
             where webhook_id = ${webhook_id}`.execute(db)
  await happen('late')
  await new Promise((resolve) => setTimeout(resolve, 1_500))
  const whileLeased = endpoint.received.length
  time.nowMs += 10_000
  await until(() => endpoint.received.length === 31)

  assert.equal(whileLeased, 30)
  assert.equal(new Set(endpoint.received.map(({ id }) => id)).size, 31)
})

interface Delivery {
  readonly kind: string
  readonly state: string
  readonly attempts: number
  readonly next_attempt_at: string | null
  readonly request: { readonly url: string | null; readonly body: string }
  readonly response: {
    readonly status: number | null
    readonly error: string | null
    readonly body: string
  } | null
}

/** Until no worker serves a webhook of the account: the clock can be moved without ending a lease that is in use. */
const settled = (db: Db): Promise<void> =>
  until(async () => {
    const { rows } = await sql`select from webhook_progress where lease is not null`.execute(db)
    return rows.length === 0
  })

/** Events of one millisecond are listed in any order. */
const byKind = (a: Delivery, b: Delivery) => a.kind.localeCompare(b.kind)

async function listed(admin: ApiUser, webhookId: string): Promise<readonly Delivery[]> {
  const answer = await admin.get<{ hits: Delivery[] }>(`${WEBHOOKS}/${webhookId}/deliveries?page_size=50`)
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json().hits
}

async function openAlerts(admin: ApiUser, webhookId: string): Promise<readonly string[]> {
  const answer = await admin.get<{ hits: { code: string; subject_id: string }[] }>(
    '/api/2.3/alerts?state=OPEN',
  )
  return answer
    .json()
    .hits.filter(({ subject_id }) => subject_id === webhookId)
    .map(({ code }) => code)
}
