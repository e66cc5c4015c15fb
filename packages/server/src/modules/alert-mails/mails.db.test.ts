import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { ApiUser } from '../../http/testing/an-api.ts'
import { anSmtpServer, headerOf } from '../../platform/mail/testing/an-smtp-server.ts'
import { aChannel } from '../channels/testing/a-channel-api.ts'
import { aSource } from '../live/testing/a-live-api.ts'
import { until } from '../webhooks/testing/an-endpoint.ts'
import { aMailWorld, aRecipient, RECIPIENTS } from './testing/a-mail-world.ts'
import type { WireMail } from './wire.ts'

const world = await aMailWorld()
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

const mailsOf = async (user: ApiUser, recipientId: string) =>
  (await user.get<{ hits: WireMail[] }>(`${RECIPIENTS}/${recipientId}/mails`)).json().hits

/** Workers poll twice a second; a mail sent by mistake would have arrived by then. */
const aWhile = () => new Promise((resolve) => setTimeout(resolve, 1_500))

test('mails about one alert, when it opens, stays open and closes, form one thread', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open, close } = await world.anAccount(t)
  await aRecipient(admin, 'desk@north.example')
  await world.aWorker(t, smtp.settings)

  await open()
  await until(() => smtp.mails.length === 1)
  world.pass(4 * HOUR_MS)
  await until(() => smtp.mails.length === 2)
  world.pass(HOUR_MS)
  await close()
  await until(() => smtp.mails.length === 3)

  const subjects = smtp.mails.map(({ subject }) => subject)
  assert.match(subjects[0]!, /^\[WARNING\] process one: The schedule ends in 6 days\./)
  assert.match(subjects[1]!, /^\[WARNING\] still open: process one/)
  assert.match(subjects[2]!, /^\[CLOSED\] process one/)
  const threads = smtp.mails.map(({ raw }) => headerOf(raw, 'References'))
  assert.match(threads[0]!, /^<alert\.[0-9a-f-]{36}@platform\.example>$/)
  assert.equal(new Set(threads).size, 1)
  assert.equal(new Set(smtp.mails.map(({ messageId }) => messageId)).size, 3)
  const [{ raw }] = smtp.mails as unknown as [{ raw: string }]
  assert.equal(headerOf(raw, 'From'), 'Continuity <alerts@platform.example>')
  assert.equal(headerOf(raw, 'Auto-Submitted'), 'auto-generated')
  assert.match(headerOf(raw, 'Content-Type'), /^text\/plain/)
})

test('many alerts within a minute are sent in two mails, without those that closed meanwhile', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open, close } = await world.anAccount(t)
  await aRecipient(admin, 'desk@north.example')
  await world.aWorker(t, smtp.settings)
  await open({ subjectId: 'first' })
  await until(() => smtp.mails.length === 1)

  for (let i = 0; i < 100; i += 1) await open({ subjectId: `n${i}` })
  await close({ subjectId: 'n7' })
  await aWhile()
  assert.equal(smtp.mails.length, 1)
  world.pass(MINUTE_MS)
  await until(() => smtp.mails.length === 2)

  assert.match(smtp.mails[1]!.subject, /^\[WARNING\] 99 alerts: 99 opened on /)
  assert.match(smtp.mails[1]!.raw, /process n8/)
  assert.doesNotMatch(smtp.mails[1]!.raw, /process n7\b/)
})

test('alerts that do not fit into a mail are sent in the next ones, each once', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open } = await world.anAccount(t)
  for (let i = 0; i < 450; i += 1) await open({ subjectId: `n${i}.` })
  await aRecipient(admin, 'desk@north.example')
  await world.aWorker(t, smtp.settings)

  // A mail whose outcome was not recorded when the clock moved is sent again unchanged.
  const distinct = () => [...new Map(smtp.mails.map((mail) => [mail.raw, mail])).values()]
  for (let mails = 1; mails <= 3; mails += 1) {
    await until(() => distinct().length === mails)
    world.pass(MINUTE_MS)
  }
  await aWhile()

  const seen = distinct().map(({ raw }) => raw.match(/process n\d+\./g) ?? [])
  assert.deepEqual(
    seen.map(({ length }) => length),
    [200, 200, 50],
  )
  assert.equal(new Set(seen.flat()).size, 450)
})

test('quiet hours delay only the severities they name, until they end', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open, close } = await world.anAccount(t)
  const at = (ms: number) => new Date(ms).toISOString().slice(11, 16)
  const untilMs = Math.ceil(world.time.nowMs / MINUTE_MS) * MINUTE_MS + HOUR_MS
  const quiet = { severities: ['WARNING'], from: at(untilMs - 3 * HOUR_MS), to: at(untilMs) }
  await aRecipient(admin, 'desk@north.example', { quiet_hours: [quiet] })
  await world.aWorker(t, smtp.settings)

  await open({ subjectId: 'waits' })
  await open({ subjectId: 'closes' })
  await open({ subjectId: 'worse' })
  await open({ subjectId: 'critical', severity: 'CRITICAL' })
  await until(() => smtp.mails.length === 1)
  assert.match(smtp.mails[0]!.subject, /^\[CRITICAL\] process critical/)
  await close({ subjectId: 'closes' })
  world.pass(MINUTE_MS)
  await open({ subjectId: 'worse', severity: 'CRITICAL' })
  await until(() => smtp.mails.length === 2)
  assert.match(smtp.mails[1]!.subject, /^\[CRITICAL\] process worse/)
  world.pass(untilMs - world.time.nowMs - 1)
  await aWhile()
  assert.equal(smtp.mails.length, 2)
  world.pass(1)
  await until(() => smtp.mails.length === 3)

  assert.match(smtp.mails[2]!.subject, /^\[WARNING\] process waits/)
})

test('a temporary failure is shown, and the retried mail has the same id and content', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open } = await world.anAccount(t)
  const { alert_recipient_id: id } = await aRecipient(admin, 'desk@north.example')
  smtp.respondWith((_, earlier) => (earlier < 2 ? 451 : undefined))
  await world.aWorker(t, smtp.settings)
  await open()
  await until(() => smtp.attempts.length === 1)
  await until(async () => (await mailsOf(admin, id))[0]?.attempts === 1)
  const [put] = await mailsOf(admin, id)
  assert.equal(put!.state, 'PENDING')
  assert.equal(put!.last_attempt?.error, 'smtp.451')
  assert.match(put!.last_attempt.response, /not today/)

  await open({ subjectId: 'meanwhile' })
  world.pass(6_000)
  await until(() => smtp.attempts.length === 2)
  world.pass(12_000)
  await until(() => smtp.mails.length === 1)
  await until(async () => (await mailsOf(admin, id))[0]?.state === 'SENT')

  const [sent] = await mailsOf(admin, id)
  assert.equal(sent!.mail_id, put!.mail_id)
  assert.equal(sent!.attempts, 3)
  assert.equal(smtp.mails[0]!.messageId, `<${put!.mail_id}@platform.example>`)
  assert.match(smtp.mails[0]!.subject, /process one/)
})

test('a rejected mail is not retried and opens an alert for the other recipients; a success closes it', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open } = await world.anAccount(t)
  const { alert_recipient_id: id } = await aRecipient(admin, 'gone@north.example')
  await aRecipient(admin, 'desk@north.example')
  smtp.respondWith((to) => (to.startsWith('gone') ? 550 : undefined))
  await world.aWorker(t, smtp.settings)

  await open()
  await until(async () => (await mailsOf(admin, id))[0]?.state === 'FAILED')
  const pass = () => world.pass(2 * MINUTE_MS)
  pass()
  await until(() => smtp.mails.some(({ raw }) => raw.includes('gone@north.example')), pass)
  const alerts = async () =>
    (await admin.get<{ hits: { code: string }[] }>('/api/2.3/alerts?state=OPEN')).json().hits
  assert.ok((await alerts()).some(({ code }) => code === 'alert_recipient.failing'))
  await aWhile()
  // The failing recipient is not mailed about itself.
  assert.equal(smtp.attempts.filter((to) => to.startsWith('gone')).length, 1)
  smtp.respondWith(() => undefined)
  await admin.post(`${RECIPIENTS}/${id}/test`)
  await until(async () => (await mailsOf(admin, id))[0]?.state === 'SENT', pass)

  assert.ok(!(await alerts()).some(({ code }) => code === 'alert_recipient.failing'))
})

test('a mail is retried for 24 hours, and a test for 15 minutes', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open } = await world.anAccount(t)
  const { alert_recipient_id: id } = await aRecipient(admin, 'desk@north.example')
  smtp.respondWith(() => 450)
  await world.aWorker(t, smtp.settings)
  const find = async (kind: string) => (await mailsOf(admin, id)).find((mail) => mail.kind === kind)
  await open()
  await until(async () => (await find('ALERTS'))?.attempts === 1)
  await admin.post(`${RECIPIENTS}/${id}/test`)
  await until(async () => (await find('TEST'))?.attempts === 1)
  /** Failing addresses have a backoff, so the clock moves on at each check. */
  const untilFailed = (kind: string) =>
    until(async () => {
      world.pass(1_000)
      return (await find(kind))?.state === 'FAILED'
    })

  world.pass(16 * MINUTE_MS)
  await untilFailed('TEST')
  assert.equal((await find('ALERTS'))?.state, 'PENDING')
  world.pass(24 * HOUR_MS)
  await untilFailed('ALERTS')
})

test('a new recipient is mailed open alerts, a paused one none, and a resumed one those open at that time', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open, close } = await world.anAccount(t)
  await open({ subjectId: 'old' })
  const { alert_recipient_id: id } = await aRecipient(admin, 'desk@north.example')
  await world.aWorker(t, smtp.settings)
  await until(() => smtp.mails.length === 1)
  assert.match(smtp.mails[0]!.subject, /process old/)

  await admin.patch(`${RECIPIENTS}/${id}`, { status: 'PAUSED' })
  world.pass(5 * HOUR_MS)
  await open({ subjectId: 'new' })
  await close({ subjectId: 'old' })
  await aWhile()
  assert.equal(smtp.mails.length, 1)
  await admin.patch(`${RECIPIENTS}/${id}`, { status: 'ACTIVE' })
  await until(() => smtp.mails.length === 2)

  assert.match(smtp.mails[1]!.subject, /process new/)
})

test('alerts below the minimum severity of a recipient are not mailed to it', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open } = await world.anAccount(t)
  await aRecipient(admin, 'all@north.example', { minimum_severity: 'INFO' })
  await aRecipient(admin, 'worst@north.example', { minimum_severity: 'CRITICAL' })
  await world.aWorker(t, smtp.settings)

  await open({ severity: 'INFO' })
  await until(() => smtp.mails.length === 1)
  await aWhile()

  assert.deepEqual(smtp.attempts, ['all@north.example'])
})

test('a recipient that is changed while a mail is sent gets the next one as it was changed', async (t) => {
  const isSending = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  await using smtp = await anSmtpServer({
    onMailFrom(_address, _session, done) {
      isSending.resolve()
      void mayEnd.promise.then(() => done())
    },
  })
  const { admin, open } = await world.anAccount(t)
  const { alert_recipient_id: id } = await aRecipient(admin, 'day@north.example', {
    minimum_severity: 'CRITICAL',
  })
  await world.aWorker(t, smtp.settings)

  assert.equal((await admin.post(`${RECIPIENTS}/${id}/test`)).statusCode, 202)
  await isSending.promise
  const changes = { address: 'night@north.example', minimum_severity: 'WARNING' }
  assert.equal((await admin.patch(`${RECIPIENTS}/${id}`, changes)).statusCode, 200)
  await open({ severity: 'WARNING' })
  mayEnd.resolve()

  await until(() => smtp.mails.length === 2)
  assert.deepEqual(
    smtp.mails.map(({ to }) => to),
    ['day@north.example', 'night@north.example'],
  )
})

test('a hanging SMTP transaction delays no other recipient, and another worker sends its mail', async (t) => {
  await using smtp = await anSmtpServer()
  const bad = await world.anAccount(t)
  const good = await world.anAccount(t)
  await aRecipient(bad.admin, 'hangs@bad.example')
  await aRecipient(good.admin, 'desk@good.example')
  smtp.respondWith((to) => (to.startsWith('hangs') ? 'never' : undefined))
  const worker = await world.aWorker(t, smtp.settings)

  await bad.open()
  await until(() => smtp.attempts.includes('hangs@bad.example'))
  await good.open()
  await until(() => smtp.mails.length === 1)
  assert.equal(smtp.mails[0]!.to, 'desk@good.example')
  await worker.stop()
  smtp.respondWith(() => undefined)
  await world.aWorker(t, smtp.settings)
  await until(() => smtp.mails.length === 2)

  const { rows } = await sql<{ mail_id: string }>`select mail_id from alert_mails`.execute(bad.db)
  assert.deepEqual(
    smtp.mails.slice(1).map(({ to, messageId }) => [to, messageId]),
    [['hangs@bad.example', `<${rows[0]!.mail_id}@platform.example>`]],
  )
})

test('mails name channels and live sources, and a name cannot inject a header', async (t) => {
  await using smtp = await anSmtpServer()
  const { admin, open } = await world.anAccount(t)
  const evil = 'North\r\nBcc: all@other.example\r\n\r\nX'
  const { linear_channel_id: channelId } = await aChannel(admin, { title: evil })
  const { live_source_id: sourceId } = await aSource(admin, { name: 'Studio 2' })
  await open({ subjectType: 'linear_channel', subjectId: channelId, message: evil, severity: 'CRITICAL' })
  await open({ subjectType: 'live_source', subjectId: sourceId })
  await aRecipient(admin, 'desk@north.example')

  await world.aWorker(t, smtp.settings)
  await until(() => smtp.mails.length === 1)

  const [{ raw }] = smtp.mails as unknown as [{ raw: string }]
  assert.equal(headerOf(raw, 'Bcc'), '')
  assert.doesNotMatch(raw, /^(Bcc|X)/m)
  assert.match(raw, /Where: {6}channel North Bcc: all@other\.example X\r\n/)
  assert.match(raw, /Where: {6}live source Studio 2\r\n/)
})
