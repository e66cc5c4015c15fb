import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { type AnswerOf, operations } from '@continuity/contract'
import type { FastifyInstance } from 'fastify'
import { aServer, put } from '../../http/testing/a-server.ts'
import { credentialHeaders } from '../../http/testing/credentials.ts'
import { createPageCursors } from '../../platform/crypto/page-cursor.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { anActor } from '../../platform/testing/an-actor.ts'
import { assertEvents } from '../events/testing/assert-events.ts'
import { readUntil } from '../events/testing/read-until.ts'
import { type AlertRecord, type AlertSubject, closeAlert, openAlert } from './index.ts'
import { alertRoutes } from './routes.ts'

const it = await aDatabase()
const secret = randomBytes(32)
const AT_MS = Date.parse('2026-03-01T18:00:00Z')

async function anAccount(): Promise<string> {
  const id = randomUUID()
  await addAccounts(it.ownerUrl, { [id]: id })
  return id
}

const anAlert = (over: Partial<AlertRecord> = {}): AlertRecord => ({
  severity: 'WARNING',
  code: 'schedule.ending',
  message: 'The schedule ends in 6 days.',
  subjectType: 'linear_channel',
  subjectId: 'north-one',
  ...over,
})

function open(accountId: string, alert: AlertRecord, nowMs = AT_MS): Promise<void> {
  return it.database
    .forAccount(accountId)
    .transaction()
    .execute((tx) => openAlert(tx, anActor(accountId, { nowMs }), alert))
}

function close(accountId: string, subject: AlertSubject, nowMs = AT_MS): Promise<void> {
  return it.database
    .forAccount(accountId)
    .transaction()
    .execute((tx) => closeAlert(tx, anActor(accountId, { nowMs }), subject))
}

function serveAlerts(server: FastifyInstance): void {
  const pageCursors = createPageCursors(() => [secret])
  put(server, operations.listAlerts, alertRoutes({ database: it.database, pageCursors }).listAlerts)
}

type Page = AnswerOf<typeof operations.listAlerts>

async function getAlerts(server: FastifyInstance, accountId: string, query = ''): Promise<Page> {
  const headers = credentialHeaders({ accountId, roles: ['ROLE_OPERATOR'] })
  const answer = await server.inject({ url: `/api/2.3/alerts${query}`, headers })
  assert.equal(answer.statusCode, 200, answer.body)
  return answer.json()
}

test('an alert is listed as open until it is closed', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const accountId = await anAccount()
  const shown = {
    severity: 'WARNING',
    code: 'schedule.ending',
    message: 'The schedule ends in 6 days.',
    subject_type: 'linear_channel',
    subject_id: 'north-one',
    opened_at: '2026-03-01T18:00:00.000Z',
  }

  await open(accountId, anAlert())
  const [before] = (await getAlerts(server, accountId)).hits
  await close(accountId, anAlert(), AT_MS + 60_000)
  const { hits } = await getAlerts(server, accountId)

  assert.deepEqual(before, { ...shown, alert_id: before?.alert_id, closed_at: null })
  assert.deepEqual(hits, [{ ...before, closed_at: '2026-03-01T18:01:00.000Z' }])
})

test('opening an open alert again updates its severity and message', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const accountId = await anAccount()
  await open(accountId, anAlert(), AT_MS)
  await open(accountId, anAlert(), AT_MS + 1_000)

  await open(accountId, anAlert({ severity: 'CRITICAL', message: 'It ends in an hour.' }), AT_MS + 2_000)

  const { hits } = await getAlerts(server, accountId)
  assert.deepEqual(
    hits.map(({ severity, message, opened_at }) => [severity, message, opened_at]),
    [['CRITICAL', 'It ends in an hour.', '2026-03-01T18:00:00.000Z']],
  )
})

test('a fault that returns opens a new alert', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const accountId = await anAccount()
  await open(accountId, anAlert(), AT_MS)
  await close(accountId, anAlert(), AT_MS + 1_000)

  await open(accountId, anAlert(), AT_MS + 2_000)

  const { hits, total } = await getAlerts(server, accountId)
  assert.equal(total, 2)
  assert.deepEqual(
    hits.map(({ closed_at }) => closed_at),
    [null, '2026-03-01T18:00:01.000Z'],
  )
})

test('each code and subject has its own alert, and closing one leaves the others open', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const accountId = await anAccount()
  const others = [
    anAlert({ code: 'live_source.signal_lost' }),
    anAlert({ subjectType: 'live_source' }),
    anAlert({ subjectId: 'north-two' }),
  ]
  for (const alert of [anAlert(), ...others]) await open(accountId, alert)

  await close(accountId, anAlert())

  assert.equal((await getAlerts(server, accountId, '?state=OPEN')).total, 3)
  assert.equal((await getAlerts(server, accountId, '?state=CLOSED')).total, 1)
})

test('concurrent calls for the same fault produce one alert and one event', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const accountId = await anAccount()

  await Promise.all(Array.from({ length: 8 }, () => open(accountId, anAlert())))
  await Promise.all(Array.from({ length: 8 }, () => close(accountId, anAlert())))

  assert.equal((await getAlerts(server, accountId)).total, 1)
  const events = await readUntil(it.database.forAccount(accountId), accountId, 2)
  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['alert.opened', 'alert.closed'],
  )
})

test('opening, changing and closing are recorded as events; repeating a state is not', async () => {
  const accountId = await anAccount()
  await open(accountId, anAlert())
  await open(accountId, anAlert())
  await open(accountId, anAlert({ severity: 'CRITICAL' }))
  await close(accountId, anAlert())
  await close(accountId, anAlert())
  await open(accountId, anAlert())

  const events = await readUntil(it.database.forAccount(accountId), accountId, 4)

  assert.deepEqual(
    events.map(({ kind }) => kind),
    ['alert.opened', 'alert.changed', 'alert.closed', 'alert.opened'],
  )
  await assertEvents(it.database.forAccount(accountId), ['alert.opened', 'alert.changed', 'alert.closed'])
  const about = { code: 'schedule.ending', subject_type: 'linear_channel', subject_id: 'north-one' }
  const details = { ...about, message: 'The schedule ends in 6 days.' }
  assert.deepEqual(
    events.map(({ data }) => data),
    [
      { ...details, severity: 'WARNING' },
      { ...details, severity: 'CRITICAL' },
      about,
      { ...details, severity: 'WARNING' },
    ],
  )
  const [first, second, third, fourth] = events.map(({ subjectId }) => subjectId)
  assert.deepEqual([second, third], [first, first])
  assert.notEqual(fourth, first)
})

test('closed_at is never before opened_at, even if the clocks of two processes differ', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const accountId = await anAccount()
  await open(accountId, anAlert(), AT_MS)

  await close(accountId, anAlert(), AT_MS - 250)

  const [alert] = (await getAlerts(server, accountId)).hits
  assert.equal(alert?.closed_at, alert?.opened_at)
})

test('alerts are filtered by state and severity, page by page', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const accountId = await anAccount()
  const severities = ['INFO', 'WARNING', 'CRITICAL'] as const
  for (let index = 0; index < 12; index += 1) {
    const alert = anAlert({ subjectId: `${index}`, severity: severities[index % 3]! })
    await open(accountId, alert, AT_MS + index)
    if (index < 6) await close(accountId, alert, AT_MS + 100)
  }
  const show = async (query: string) => {
    const seen: string[] = []
    for (let mark: string | null = '0'; mark !== null; ) {
      const { hits, page, total } = await getAlerts(
        server,
        accountId,
        `?page_size=2&page_offset=${mark}${query}`,
      )
      seen.push(...hits.map(({ subject_id }) => subject_id))
      mark = page.page_mark
      if (mark === null) assert.equal(total, seen.length)
    }
    return seen.map(Number)
  }

  assert.deepEqual(await show(''), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  assert.deepEqual(await show('&state=ALL'), [11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0])
  assert.deepEqual(await show('&state=OPEN'), [11, 10, 9, 8, 7, 6])
  assert.deepEqual(await show('&state=CLOSED'), [5, 4, 3, 2, 1, 0])
  assert.deepEqual(await show('&severity=CRITICAL'), [11, 8, 5, 2])
  assert.deepEqual(await show('&severity=CRITICAL&state=OPEN'), [11, 8])
  assert.deepEqual(await show('&severity=INFO&state=CLOSED'), [3, 0])
})

test('alerts of another account are neither listed nor closed', async (t) => {
  const { server } = aServer(t)
  serveAlerts(server)
  const [accountId, otherId] = [await anAccount(), await anAccount()]
  await open(accountId, anAlert())

  await close(otherId, anAlert())

  assert.equal((await getAlerts(server, otherId)).total, 0)
  assert.equal((await getAlerts(server, accountId, '?state=OPEN')).total, 1)
})
