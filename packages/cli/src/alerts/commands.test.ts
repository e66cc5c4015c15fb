import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'

const who = '--url http://127.0.0.1:1 --account north --email a@north.example'
const page = { page_id: null, page_size: '50', page_mark: null, page_offset: '0' }

const recipient = {
  alert_recipient_id: 'r1',
  address: 'desk@north.example',
  description: '',
  minimum_severity: 'WARNING',
  time_zone: 'Europe/Berlin',
  quiet_hours: [{ severities: ['INFO', 'WARNING'], from: '22:00', to: '07:00' }],
  reminder_s: 14_400,
  status: 'ACTIVE',
  failing_since: '2026-03-01T17:00:00.000Z',
}

test('an invalid option is reported before anything is requested', async () => {
  const faults = {
    [`alerts list --state HALF ${who}`]: /--state must be OPEN or/,
    [`alerts recipients create a@b --quiet nights ${who}`]: /--quiet must be like INFO,WARNING@22:00-07:00/,
    [`alerts recipients create a@b --reminder-minutes 5 ${who}`]: /--reminder-minutes must be a whole number/,
    [`alerts recipients create a@b --severity LOUD ${who}`]: /--severity must be INFO or/,
    [`alerts recipients change r1 ${who}`]: /Nothing to change\./,
    [`alerts recipients mails r1 --state LOST ${who}`]: /--state must be PENDING or/,
  }
  for (const [line, message] of Object.entries(faults)) {
    const { exitCode, errorOutput } = await runLine(line)

    assert.equal(exitCode, 2, line)
    assert.match(errorOutput, message)
  }
})

test('open alerts are listed with their subjects', async (t) => {
  const alert = {
    alert_id: 'a1',
    severity: 'CRITICAL',
    code: 'live_source.signal_lost',
    message: 'The live source Studio 2 has lost its signal.',
    subject_type: 'live_source',
    subject_id: 's1',
    opened_at: '2026-03-01T18:00:00.000Z',
    closed_at: null,
  }
  const { env } = await aService(t, { 'GET /alerts': { hits: [alert], page, total: 1 } })

  const { exitCode, printed } = await runLine('alerts list', { env })

  assert.equal(exitCode, 0)
  assert.match(
    printed,
    /CRITICAL +2026-03-01T18:00:00.000Z +live_source\.signal_lost +live_source s1 +The live/,
  )
})

test('a recipient is created with its options, listed with its quiet hours, and paused', async (t) => {
  const { env, requests } = await aService(t, {
    'GET /alert_recipients': { hits: [recipient], page, total: 1 },
    'POST /alert_recipients': recipient,
    'PATCH /alert_recipients/r1': { ...recipient, status: 'PAUSED' },
  })

  const made = await runLine(
    'alerts recipients create desk@north.example --severity CRITICAL --time-zone Europe/Berlin --quiet INFO,WARNING@22:00-07:00 --reminder-minutes 0',
    { env },
  )
  const listed = await runLine('alerts recipients list', { env })
  const paused = await runLine('alerts recipients pause r1', { env })

  assert.match(made.printed, /quiet hours +INFO,WARNING 22:00-07:00 Europe\/Berlin\n/)
  assert.match(made.printed, /reminder +every 240 minutes/)
  assert.match(listed.printed, /r1 +ACTIVE +2026-03-01T17:00:00.000Z +WARNING +INFO,WARNING 22:00/)
  assert.match(paused.printed, /status +PAUSED/)
  assert.deepEqual(
    requests.filter(([name]) => !name.startsWith('GET')),
    [
      [
        'POST /alert_recipients',
        {
          address: 'desk@north.example',
          minimum_severity: 'CRITICAL',
          time_zone: 'Europe/Berlin',
          quiet_hours: recipient.quiet_hours,
          reminder_s: null,
        },
      ],
      ['PATCH /alert_recipients/r1', { status: 'PAUSED' }],
    ],
  )
})

test('only the settings that are given are changed', async (t) => {
  const { env, requests } = await aService(t, { 'PATCH /alert_recipients/r1': recipient })
  const change = (options: string) => runLine(`alerts recipients change r1 ${options}`, { env })

  await change('--severity INFO --reminder-minutes 30')
  await change('--address night@north.example --quiet none --reminder-minutes 0')

  assert.deepEqual(
    requests.filter(([name]) => name.startsWith('PATCH')).map(([, body]) => body),
    [
      { minimum_severity: 'INFO', reminder_s: 1_800 },
      { address: 'night@north.example', quiet_hours: [], reminder_s: null },
    ],
  )
})

test('a test mail that the server does not accept is a failure, and shows its response', async (t) => {
  const mail = {
    mail_id: 'm1',
    kind: 'TEST',
    subject: '[TEST] Alerts of North reach this address',
    text: '',
    alert_ids: [],
    composed_at: '2026-03-01T18:00:00.000Z',
    state: 'FAILED',
    attempts: 1,
    next_attempt_at: null,
    last_attempt: {
      at: '2026-03-01T18:00:00.000Z',
      address: recipient.address,
      duration_ms: 12,
      error: 'smtp.550',
      response: '550 no such user',
    },
  }
  const { env } = await aService(t, {
    'POST /alert_recipients/r1/test': { mail_id: 'm1' },
    'GET /alert_recipients/r1/mails': { hits: [mail], page, total: 1 },
  })

  const { exitCode, printed } = await runLine('alerts recipients test r1', { env })

  assert.equal(exitCode, 1)
  assert.match(printed, /m1 +FAILED +1 +550 no such user/)
})
