import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WEBHOOKS_MAXIMUM } from '@continuity/core/webhooks/limits'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { newId } from '../../platform/crypto/ids.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { aWebhook, aWebhookWorld, type MadeWebhook, WEBHOOKS } from './testing/a-webhook-world.ts'

const world = await aWebhookWorld()
const { admin, otherAdmin, db, ownerUrl, api } = world
const HOOK_URL = 'https://hooks.example/in'
const nowText = new Date(NOW_MS).toISOString()

test('a new webhook is ACTIVE, shows its secret once, and follows every kind by default', async () => {
  const made = await admin.post<MadeWebhook>(WEBHOOKS, { url: HOOK_URL })

  assert.equal(made.statusCode, 201, made.body)
  const { secret, webhook_id, created_user_id, last_modified_user_id, ...rest } = made.json()
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(created_user_id, last_modified_user_id)
  assert.deepEqual(rest, {
    url: HOOK_URL,
    description: '',
    kinds: ['*'],
    status: 'ACTIVE',
    status_reason: null,
    status_at: nowText,
    failing_since: null,
    previous_secret_until: null,
    created_date: nowText,
    last_updated: nowText,
  })
  const read = await admin.get(`${WEBHOOKS}/${webhook_id}`)
  assert.doesNotMatch(read.body, /secret":"/)
  const { rows } = await sql<{ text: string }>`
    select encode(secret, 'base64') || (select string_agg(after::text, '') from audit_entries) as text
      from webhooks where webhook_id = ${webhook_id}`.execute(db)
  assert.ok(!rows[0]!.text.includes(secret.slice('whsec_'.length, 20)))
})

test('a webhook is changed, paused, resumed and deleted; a stale entity tag is rejected', async () => {
  const { webhook_id } = await aWebhook(admin, HOOK_URL)
  const path = `${WEBHOOKS}/${webhook_id}`

  const paused = await admin.patch<MadeWebhook>(path, { status: 'PAUSED', kinds: ['channel.*'] })
  const again = await admin.patch<MadeWebhook>(path, { status: 'PAUSED' })
  const stale = await admin.patch(path, { description: 'x' }, { 'if-match': '"1"' })
  const resumed = await admin.patch<MadeWebhook>(path, { status: 'ACTIVE' })
  const deleted = await admin.delete(path)

  assert.equal(paused.json().status_reason, 'USER')
  assert.deepEqual(paused.json().kinds, ['channel.*'])
  assert.equal(again.headers['etag'], paused.headers['etag'])
  assertProblem(stale, 412, 'record.changed')
  assert.equal(resumed.json().status_reason, null)
  assert.equal(deleted.statusCode, 204)
  assertProblem(await admin.get(path), 404, 'webhook.not_found')
  const { rows } = await sql`select from webhook_progress where webhook_id = ${webhook_id}`.execute(db)
  assert.equal(rows.length, 0)
})

test('webhooks of another account are not found', async () => {
  const { webhook_id } = await aWebhook(admin, HOOK_URL)
  const path = `${WEBHOOKS}/${webhook_id}`

  assertProblem(await otherAdmin.get(path), 404, 'webhook.not_found')
  assertProblem(await otherAdmin.patch(path, { description: 'x' }), 404, 'webhook.not_found')
  assertProblem(await otherAdmin.delete(path), 404, 'webhook.not_found')
  assertProblem(await otherAdmin.get(`${path}/deliveries`), 404, 'webhook.not_found')
  for (const verb of ['rotate_secret', 'test'])
    assertProblem(await otherAdmin.post(`${path}/${verb}`), 404, 'webhook.not_found')
  assertProblem(await otherAdmin.post(`${path}/replay`, { from: nowText }), 404, 'webhook.not_found')
})

test('the list is paged, and the number of webhooks per account is limited', async () => {
  const accountId = newId(0)
  await addAccounts(ownerUrl, { third: accountId })
  const user = api.userOf(accountId)
  const made: string[] = []
  for (let i = 0; i < WEBHOOKS_MAXIMUM; i += 1) made.push((await aWebhook(user, HOOK_URL)).webhook_id)

  assertProblem(await user.post(WEBHOOKS, { url: HOOK_URL }), 422, 'webhook.too_many')
  const first = await user.get<Page>(`${WEBHOOKS}?page_size=30`)
  const { page_mark: mark } = first.json().page
  const second = await user.get<Page>(`${WEBHOOKS}?page_size=30&page_offset=${mark}`)

  assert.equal(first.json().total, WEBHOOKS_MAXIMUM)
  const listed = [...first.json().hits, ...second.json().hits].map(({ webhook_id }) => webhook_id)
  assert.deepEqual(listed, made.toSorted())
  assert.equal(second.json().page.page_mark, null)
})

interface Page {
  readonly hits: readonly MadeWebhook[]
  readonly page: { readonly page_mark: string | null }
  readonly total: number
}

test('rejects an invalid address, kind or replay time', async () => {
  const { webhook_id } = await aWebhook(admin, HOOK_URL)
  const replay = `${WEBHOOKS}/${webhook_id}/replay`

  assertProblem(
    await admin.post(WEBHOOKS, { url: 'https://user:password@hooks.example/' }),
    422,
    'webhook.address_refused',
  )
  assertProblem(await admin.post(WEBHOOKS, { url: 'ftp://hooks.example/' }), 400, 'request.invalid')
  for (const kind of ['', 'a*b', '**', 'Channel.*'])
    assertProblem(await admin.post(WEBHOOKS, { url: HOOK_URL, kinds: [kind] }), 400, 'request.invalid')
  assertProblem(
    await admin.post(replay, { from: new Date(NOW_MS + 1_000).toISOString() }),
    422,
    'webhook.replay_range',
  )
})

test('a rotation creates a new secret; the previous one is dropped on request or immediately', async () => {
  const { webhook_id, secret } = await aWebhook(admin, HOOK_URL)
  const path = `${WEBHOOKS}/${webhook_id}`

  const rotated = await admin.post<MadeWebhook>(`${path}/rotate_secret`)
  const dropped = await admin.patch<MadeWebhook>(path, { previous_secret_until: null })
  const atOnce = await admin.post<MadeWebhook>(`${path}/rotate_secret`, { previous_valid_s: 0 })

  assert.equal(rotated.statusCode, 200, rotated.body)
  assert.notEqual(rotated.json().secret, secret)
  assert.equal(rotated.json().previous_secret_until, new Date(NOW_MS + 86_400_000).toISOString())
  assert.equal(dropped.json().previous_secret_until, null)
  assert.equal(atOnce.json().previous_secret_until, null)
  assert.notEqual(atOnce.json().secret, rotated.json().secret)
})

test('a test delivery to a paused webhook is rejected', async () => {
  const { webhook_id } = await aWebhook(admin, HOOK_URL)
  await admin.patch(`${WEBHOOKS}/${webhook_id}`, { status: 'PAUSED' })

  assertProblem(await admin.post(`${WEBHOOKS}/${webhook_id}/test`), 409, 'webhook.paused')
})
