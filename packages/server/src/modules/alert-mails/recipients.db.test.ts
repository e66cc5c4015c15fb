import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RECIPIENTS_MAXIMUM, TESTS_PER_HOUR } from '@continuity/core/alerts/limits'
import { sql } from 'kysely'
import { anApi, somePageCursors } from '../../http/testing/an-api.ts'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { assertProblem } from '../../http/testing/wire.ts'
import { alertMailRoutes } from './routes.ts'
import { aMailWorld, aRecipient, RECIPIENTS } from './testing/a-mail-world.ts'
import type { WireRecipient } from './wire.ts'

const world = await aMailWorld()
const nowText = new Date(NOW_MS).toISOString()
const night = { severities: ['INFO', 'WARNING'], from: '22:00', to: '07:00' }

test('a recipient can be created with only an address; the other fields have defaults', async (t) => {
  const { admin } = await world.anAccount(t)

  const made = await admin.post<WireRecipient>(RECIPIENTS, { address: 'desk@north.example' })

  assert.equal(made.statusCode, 201, made.body)
  const { alert_recipient_id, created_user_id, last_modified_user_id, ...rest } = made.json()
  assert.equal(created_user_id, last_modified_user_id)
  assert.deepEqual(rest, {
    address: 'desk@north.example',
    description: '',
    minimum_severity: 'WARNING',
    time_zone: 'UTC',
    quiet_hours: [],
    reminder_s: 14_400,
    status: 'ACTIVE',
    failing_since: null,
    created_date: nowText,
    last_updated: nowText,
  })
  const read = await admin.get<WireRecipient>(`${RECIPIENTS}/${alert_recipient_id}`)
  assert.deepEqual(read.json(), made.json())
})

test('a recipient is changed, paused and deleted with audit records; a stale entity tag is rejected', async (t) => {
  const { admin, db } = await world.anAccount(t)
  const { alert_recipient_id } = await aRecipient(admin, 'desk@north.example')
  const path = `${RECIPIENTS}/${alert_recipient_id}`

  const changed = await admin.patch<WireRecipient>(path, { quiet_hours: [night], reminder_s: null })
  const again = await admin.patch(path, { reminder_s: null })
  const stale = await admin.patch(path, { description: 'x' }, { 'if-match': '"1"' })
  const paused = await admin.patch<WireRecipient>(path, { status: 'PAUSED' })
  const untested = await admin.post(`${path}/test`)
  const deleted = await admin.delete(path)

  assert.deepEqual(changed.json().quiet_hours, [night])
  assert.equal(changed.json().reminder_s, null)
  assert.equal(again.headers['etag'], changed.headers['etag'])
  assertProblem(stale, 412, 'record.changed')
  assert.equal(paused.json().status, 'PAUSED')
  assertProblem(untested, 409, 'alert_recipient.paused')
  assert.equal(deleted.statusCode, 204)
  assertProblem(await admin.get(path), 404, 'alert_recipient.not_found')
  const { rows } = await sql<{ action: string }>`
    select action from audit_entries order by action`.execute(db)
  assert.deepEqual(
    rows.map(({ action }) => action),
    ['change', 'change', 'create', 'delete'].map((verb) => `alert_recipient.${verb}`),
  )
})

test('recipients of another account are not found', async (t) => {
  const [{ admin }, { admin: otherAdmin }] = [await world.anAccount(t), await world.anAccount(t)]
  const { alert_recipient_id } = await aRecipient(admin, 'desk@north.example')
  const path = `${RECIPIENTS}/${alert_recipient_id}`

  assertProblem(await otherAdmin.get(path), 404, 'alert_recipient.not_found')
  assertProblem(await otherAdmin.patch(path, { description: 'x' }), 404, 'alert_recipient.not_found')
  assertProblem(await otherAdmin.delete(path), 404, 'alert_recipient.not_found')
  assertProblem(await otherAdmin.get(`${path}/mails`), 404, 'alert_recipient.not_found')
  assertProblem(await otherAdmin.post(`${path}/test`), 404, 'alert_recipient.not_found')
})

test('rejects unknown time zones, invalid quiet hours and anything but a plain address', async (t) => {
  const { admin } = await world.anAccount(t)
  const post = (body: object) => admin.post(RECIPIENTS, { address: 'desk@north.example', ...body })

  assertProblem(await post({ time_zone: 'Europe/Atlantis' }), 422, 'alert_recipient.time_zone_unknown')
  const twice = [night, { ...night, severities: ['INFO'] }]
  assertProblem(await post({ quiet_hours: twice }), 422, 'alert_recipient.quiet_hours_invalid')
  assertProblem(
    await post({ quiet_hours: [{ ...night, to: '22:00' }] }),
    422,
    'alert_recipient.quiet_hours_invalid',
  )
  for (const address of [
    'desk',
    'a@b,c@d',
    'a@b\r\nBcc: c@d',
    'A <a@b>',
    '"a b"@c',
    'a@-b',
    'a@b ',
    'ä@b',
    `${'a'.repeat(65)}@b`,
  ])
    assert.equal((await post({ address })).statusCode, 400, address)
  for (const body of [{ reminder_s: 60 }, { quiet_hours: [{ ...night, from: '24:00' }] }])
    assert.equal((await post(body)).statusCode, 400)
})

test('the list is paged, and the number of recipients per account is limited', async (t) => {
  const { admin } = await world.anAccount(t)
  for (let i = 0; i < RECIPIENTS_MAXIMUM; i += 1) await aRecipient(admin, `desk-${i}@north.example`)

  const beyond = await admin.post(RECIPIENTS, { address: 'one-more@north.example' })
  const page = await admin.get<{ hits: WireRecipient[]; total: number; page: { page_mark: string } }>(
    `${RECIPIENTS}?page_size=30`,
  )
  const rest = await admin.get<{ hits: WireRecipient[] }>(
    `${RECIPIENTS}?page_size=30&page_offset=${page.json().page.page_mark}`,
  )

  assertProblem(beyond, 422, 'alert_recipient.too_many')
  assert.equal(page.json().total, RECIPIENTS_MAXIMUM)
  const addresses = [...page.json().hits, ...rest.json().hits].map(({ address }) => address)
  assert.equal(new Set(addresses).size, RECIPIENTS_MAXIMUM)
})

test('the number of test mails per account and hour is limited', async (t) => {
  const { admin } = await world.anAccount(t)
  const { alert_recipient_id } = await aRecipient(admin, 'desk@north.example')
  const path = `${RECIPIENTS}/${alert_recipient_id}/test`

  for (let i = 0; i < TESTS_PER_HOUR; i += 1) assert.equal((await admin.post(path)).statusCode, 202)

  assertProblem(await admin.post(path), 429, 'alert_recipient.too_many_tests')
})

test('without a mail server creating and testing recipients returns 503; reading and deleting work', async (t) => {
  const { admin, accountId } = await world.anAccount(t)
  const { alert_recipient_id } = await aRecipient(admin, 'desk@north.example')
  const routes = alertMailRoutes({
    database: world.database,
    pageCursors: somePageCursors(),
    isMailOn: false,
  })
  const user = (await anApi(routes)).userOf(accountId)
  const path = `${RECIPIENTS}/${alert_recipient_id}`

  const made = await user.post(RECIPIENTS, { address: 'desk@north.example' })

  assertProblem(made, 503, 'alert_recipient.mail_off')
  assert.match(made.body, /SMTP_HOST is not set/)
  assertProblem(await user.post(`${path}/test`), 503, 'alert_recipient.mail_off')
  assert.equal((await user.get(path)).statusCode, 200)
  assert.equal((await user.delete(path)).statusCode, 204)
})
