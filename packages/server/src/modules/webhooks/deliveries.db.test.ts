import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { Webhook as Verifier } from 'standardwebhooks'
import type { ApiUser } from '../../http/testing/an-api.ts'
import { NOW_MS } from '../../http/testing/credentials.ts'
import type { Db } from '../../platform/database/database.ts'
import { recordOutcome } from './record-outcome.ts'
import { replayWebhook } from './replay.ts'
import { aWebhook, aWebhookWorld, type MadeWebhook, WEBHOOKS } from './testing/a-webhook-world.ts'
import { anEndpoint, type Endpoint, until } from './testing/an-endpoint.ts'

const world = await aWebhookWorld()
const { time } = world
const HOUR_MS = 3_600_000

test('events of the followed kinds arrive signed, and in order per subject', async (t) => {
  const { admin, recordEvent } = await world.anAccount()
  await using endpoint = await anEndpoint()
  await recordEvent('before')
  const { secret } = await aWebhook(admin, endpoint.url, { kinds: ['channel.*'] })
  world.aWorker(t, [endpoint.port])

  for (let i = 0; i < 20; i += 1) {
    await recordEvent(`subject-${i % 4}`, `channel.n${i}`)
    await recordEvent('other', 'live_source.changed')
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
    // Signed with the time of the platform's clock, which is fixed here.
    assert.equal(headers['webhook-timestamp'], `${NOW_MS / 1_000}`)
    assert.throws(() => new Verifier('whsec_AAAA').verify(body, headers))
    assert.ok(isSigned(secret, body, headers))
  }
})

/** `Verifier.verify` also checks the timestamp against the system clock, so signatures are compared instead. */
function isSigned(secret: string, body: string, headers: Readonly<Record<string, string>>): boolean {
  const verifier = new Verifier(secret)
  const at = new Date(Number(headers['webhook-timestamp']) * 1_000)
  return headers['webhook-signature']!.split(' ').includes(verifier.sign(headers['webhook-id']!, at, body))
}

test('both secrets sign during a rotation, then only the new one', async (t) => {
  const { admin } = await world.anAccount()
  await using endpoint = await anEndpoint()
  const first = answeredLater(endpoint)
  const { webhook_id, secret } = await aWebhook(admin, endpoint.url)
  const path = `${WEBHOOKS}/${webhook_id}`
  world.aWorker(t, [endpoint.port])
  const rotated = (await admin.post<MadeWebhook>(`${path}/rotate_secret`)).json()

  await admin.post(`${path}/test`)
  await until(() => endpoint.received.length > 0)
  // The worker is still at its turn with this webhook.
  await admin.patch(path, { previous_secret_until: null })
  await admin.post(`${path}/test`)
  first.answer()
  // A delivery may arrive twice.
  const second = () => endpoint.received.find(({ id }) => id !== endpoint.received[0]!.id)
  await until(() => second() !== undefined)

  const [both, one] = [endpoint.received[0], second()]
  assert.ok(
    isSigned(secret, both!.body, both!.headers) && isSigned(rotated.secret, both!.body, both!.headers),
  )
  assert.ok(!isSigned(secret, one!.body, one!.headers) && isSigned(rotated.secret, one!.body, one!.headers))
})

test('an event of a kind that has just been added is not lost', async (t) => {
  const { admin, recordEvent } = await world.anAccount()
  await using endpoint = await anEndpoint()
  const first = answeredLater(endpoint)
  const { webhook_id } = await aWebhook(admin, endpoint.url, { kinds: ['channel.*'] })
  world.aWorker(t, [endpoint.port])

  await recordEvent('one', 'channel.changed')
  await until(() => endpoint.received.length > 0)
  await admin.patch(`${WEBHOOKS}/${webhook_id}`, { kinds: ['channel.*', 'live_source.*'] })
  await recordEvent('two', 'live_source.changed')
  first.answer()

  await until(() => endpoint.received.some(({ type }) => type === 'live_source.changed'))
})

/** The first response waits; those of all other requests do not. */
function answeredLater(endpoint: Endpoint): { answer(): void } {
  const { promise, resolve } = Promise.withResolvers<void>()
  endpoint.respondWith((_, response) => {
    endpoint.respondWith((_, later) => later.end('ok'))
    void promise.then(() => response.end('ok'))
  })
  return { answer: resolve }
}

test('a failed delivery is retried with the same id, and delays only its own subject', async (t) => {
  const { admin, recordEvent } = await world.anAccount()
  await using endpoint = await anEndpoint((received, response) => {
    response.statusCode = received.subjectId === 'stuck' ? 500 : 200
    response.end('no room')
  })
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  world.aWorker(t, [endpoint.port])

  await recordEvent('stuck', 'channel.first')
  await recordEvent('stuck', 'channel.second')
  await recordEvent('free', 'channel.first')
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

test('an endpoint that fails is not tried with every event that is pending', async (t) => {
  const { admin, recordEvent, db } = await world.anAccount()
  await using endpoint = await anEndpoint((_, response) => void response.writeHead(500).end())
  await aWebhook(admin, endpoint.url)
  for (let i = 0; i < 12; i += 1) await recordEvent(`subject-${i}`)
  world.aWorker(t, [endpoint.port])

  // From the third failure on the endpoint is paused, by a clock that does not move.
  await until(async () => {
    const { rows } = await sql`
      select from webhook_progress where failures >= 3 and lease is null`.execute(db)
    return rows.length === 1
  })

  // Two single failures, then one of each concurrent request.
  const tries = endpoint.received.length
  assert.ok(tries >= 3 && tries <= 6, `${tries} tries`)
})

test('a redirect is a failure, and forbidden addresses are not connected to', async (t) => {
  const { admin, recordEvent } = await world.anAccount()
  await using inner = await anEndpoint()
  await using endpoint = await anEndpoint((_, response) => {
    response.writeHead(302, { location: inner.url }).end()
  })
  const redirected = await aWebhook(admin, endpoint.url)
  const forbidden = await aWebhook(admin, inner.url)
  world.aWorker(t, [endpoint.port])

  await recordEvent('any')
  const responseOf = async (id: string) => (await listed(admin, id))[0]?.response ?? undefined
  await until(async () => (await responseOf(redirected.webhook_id)) !== undefined)
  await until(async () => (await responseOf(forbidden.webhook_id)) !== undefined)

  assert.equal((await responseOf(redirected.webhook_id))!.status, 302)
  assert.equal((await listed(admin, redirected.webhook_id))[0]!.state, 'PENDING')
  assert.equal((await responseOf(forbidden.webhook_id))!.error, 'address.forbidden')
  assert.equal(inner.received.length, 0)
})

test('410 pauses a webhook and opens an alert; after a resume, pending and missed events arrive', async (t) => {
  const { admin, recordEvent } = await world.anAccount()
  await using endpoint = await anEndpoint((_, response) => void response.writeHead(410).end())
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  const path = `${WEBHOOKS}/${webhook_id}`
  const statusOf = async () => (await admin.get<MadeWebhook>(path)).json()
  world.aWorker(t, [endpoint.port])

  await recordEvent('one', 'channel.first')
  await until(async () => (await statusOf()).status === 'PAUSED')
  const paused = await statusOf()
  const alerts = await openAlerts(admin, webhook_id)
  await recordEvent('one', 'channel.second')
  endpoint.respondWith((_, response) => response.end())
  await admin.patch(path, { status: 'ACTIVE' })
  await until(() => endpoint.received.filter(({ type }) => type.startsWith('channel.')).length === 3)

  assert.equal(paused.status_reason, 'GONE')
  assert.deepEqual(alerts, ['webhook.paused'])
  const kinds = endpoint.received.map(({ type }) => type).filter((type) => type.startsWith('channel.'))
  assert.deepEqual(kinds, ['channel.first', 'channel.first', 'channel.second'])
  assert.deepEqual(await openAlerts(admin, webhook_id), [])
})

test('an endpoint that was about to be paused stays active if a delivery succeeds at this moment', async () => {
  const { accountId, admin, db } = await world.anAccount()
  const { webhook_id } = await aWebhook(admin, 'https://hooks.example/one')
  const key = { accountId, webhookId: webhook_id }
  const delivery = { eventId: randomUUID(), position: 1, body: '{}', attempts: 0, firstAttemptMs: null }
  const at = { nowMs: time.nowMs, chance: 0.5 }
  const attempted = (status: number) => ({
    atMs: time.nowMs,
    url: 'https://hooks.example/one',
    durationMs: 1,
    status,
    errorCode: null,
    responseBody: '',
  })
  /** The failure is recorded in the first transaction, and the second one would pause the webhook. */
  const runOutcome = async (onSecond: () => Promise<unknown>) => {
    let transactions = 0
    const raced = new Proxy(db, {
      get: (target, name) =>
        name !== 'transaction'
          ? Reflect.get(target, name)
          : () => ({
              execute: async (work: Parameters<ReturnType<typeof target.transaction>['execute']>[0]) => {
                transactions += 1
                if (transactions === 2) await onSecond()
                return target.transaction().execute(work)
              },
            }),
    })
    const outcome = await recordOutcome(raced, key, delivery, attempted(410), at)
    const { status } = (await admin.get<MadeWebhook>(`${WEBHOOKS}/${webhook_id}`)).json()
    return { outcome, status, transactions }
  }

  assert.deepEqual(await runOutcome(() => recordOutcome(db, key, delivery, attempted(200), at)), {
    outcome: 'paused',
    status: 'ACTIVE',
    transactions: 2,
  })
  assert.equal((await runOutcome(async () => {})).status, 'PAUSED')
})

test('an endpoint that fails for 24 hours is paused; a single delivery that does is marked FAILED', async (t) => {
  const { admin, recordEvent, db } = await world.anAccount()
  await using down = await anEndpoint((_, response) => void response.writeHead(500).end())
  await using picky = await anEndpoint((received, response) => {
    response.writeHead(received.subjectId === 'bad' ? 500 : 200).end()
  })
  const paused = await aWebhook(admin, down.url)
  const active = await aWebhook(admin, picky.url)
  world.aWorker(t, [down.port, picky.port])

  await recordEvent('bad', 'channel.first')
  await recordEvent('bad', 'channel.second')
  let before = 0
  for (let hour = 0; hour <= 25; hour += 1) {
    await recordEvent(`good-${hour}`)
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
    'the next delivery of the subject is tried',
  )
})

test('a replay sends events since a time again, with the same ids, in order', async (t) => {
  const { admin, recordEvent, accountId, db } = await world.anAccount()
  await using endpoint = await anEndpoint()
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  const before = world.aWorker(t, [endpoint.port])
  await recordEvent('one', 'channel.a')
  await until(() => endpoint.received.length === 1)
  // Moving the clock would expire its lease.
  await before.stop()
  time.nowMs += HOUR_MS
  const sending = world.aWorker(t, [endpoint.port])
  const from = new Date(time.nowMs).toISOString()
  for (const kind of ['channel.b', 'channel.c']) await recordEvent('one', kind)
  await until(() => endpoint.received.length === 3)
  const ids = endpoint.received.map(({ id }) => id)
  await sending.stop()

  // The clock of the API is fixed at the start of the test, so `from` would be in its future.
  await db.transaction().execute(async (tx) => {
    const actor = { accountId: accountId, userId: null, requestId: null, nowMs: time.nowMs }
    await replayWebhook(tx, actor, webhook_id, Date.parse(from))
  })
  world.aWorker(t, [endpoint.port])
  await until(
    () => endpoint.received.length >= 5,
    () => {
      time.nowMs += 10_000
    },
  )

  assert.deepEqual([...new Set(endpoint.received.slice(3).map(({ id }) => id))], ids.slice(1))
})

test('a stopping worker releases its webhooks to others immediately', async (t) => {
  const { admin, recordEvent } = await world.anAccount()
  await using endpoint = await anEndpoint()
  await aWebhook(admin, endpoint.url)
  const first = world.aWorker(t, [endpoint.port])
  await recordEvent('one')
  await until(() => endpoint.received.length === 1)
  await first.stop()

  world.aWorker(t, [endpoint.port])
  await recordEvent('one')

  await until(() => endpoint.received.length === 2)
})

test('two workers never serve one webhook, and a lease that is not released expires', async (t) => {
  const { admin, recordEvent, db } = await world.anAccount()
  await using endpoint = await anEndpoint()
  const { webhook_id } = await aWebhook(admin, endpoint.url)
  for (let i = 0; i < 3; i += 1) world.aWorker(t, [endpoint.port])
  for (let i = 0; i < 30; i += 1) await recordEvent(`subject-${i % 3}`, `channel.n${i}`)
  await until(() => endpoint.received.length >= 30)
  // The state that a killed worker leaves.
  await sql`update webhook_progress set lease = gen_random_uuid(), lease_until_ms = ${time.nowMs + 10_000}
             where webhook_id = ${webhook_id}`.execute(db)
  await recordEvent('late')
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

/** Waits until no webhook of the account is leased, so that moving the clock expires no lease in use. */
const settled = (db: Db): Promise<void> =>
  until(async () => {
    const { rows } = await sql`select from webhook_progress where lease is not null`.execute(db)
    return rows.length === 0
  })

/** Events of the same millisecond are listed in arbitrary order. */
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
