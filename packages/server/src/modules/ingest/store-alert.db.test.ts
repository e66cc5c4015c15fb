import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from '../../platform/log/logger.ts'
import { closeScratchAlert, watchStore } from '../assets/store-alert.ts'
import { anIngestApi, type IngestAccount } from './testing/an-ingest-api.ts'

const { anAccount } = await anIngestApi()
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })

const NOW_MS = 1_772_388_000_000
const HOUR_MS = 3_600_000
const noSpace = Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })

/** One attempt at an asset, by the worker with this scratch folder. */
async function attempt(account: IngestAccount, scratch: string, isFull: boolean, nowMs = NOW_MS) {
  const actorAt = (atMs: number) => ({
    accountId: account.accountId,
    userId: null,
    requestId: null,
    nowMs: atMs,
  })
  const work = async () => {
    if (isFull) throw noSpace
  }
  await watchStore({ db: account.db, logger }, { scratch, actorAt, clock: () => nowMs }, work).catch(
    (error: unknown) => assert.equal(error, noSpace),
  )
}

async function openAlerts({ db }: IngestAccount): Promise<readonly string[]> {
  const { rows } = await sql<{ subject: string }>`
    select subject_id as subject from alerts
     where code = 'scratch.full' and closed_ms is null order by subject_id`.execute(db)
  return rows.map(({ subject }) => subject)
}

async function dueRows({ db, accountId }: IngestAccount) {
  const { rows } = await sql<{ subjectId: string; dueMs: number }>`
    select subject_id as "subjectId", due_ms as "dueMs" from due_rows
     where kind = 'close_scratch_alert' and account_id = ${accountId}`.execute(db)
  return rows
}

test('a full scratch folder opens an alert of its worker, which the success of another leaves open', async () => {
  const account = await anAccount()
  await attempt(account, 'a:/scratch', true)
  await attempt(account, 'b:/scratch', true)

  await attempt(account, 'c:/scratch', false)
  assert.deepEqual(await openAlerts(account), ['a:/scratch', 'b:/scratch'])

  await attempt(account, 'a:/scratch', false)
  assert.deepEqual(await openAlerts(account), ['b:/scratch'])
})

test('the alert of a worker that is gone is closed an hour after it last found its folder full', async () => {
  const account = await anAccount()
  await attempt(account, 'a:/scratch', true)
  await attempt(account, 'a:/scratch', true, NOW_MS + 60_000)
  const [due] = await dueRows(account)
  assert.ok(due)
  assert.equal(due.dueMs, NOW_MS + 60_000 + HOUR_MS)

  const row = { ...due, kind: 'close_scratch_alert', accountId: account.accountId }
  await account.db.transaction().execute((tx) => closeScratchAlert(tx, row, row.dueMs))

  assert.deepEqual(await openAlerts(account), [])
})

test('an alert that its worker closed is not due any more', async () => {
  const account = await anAccount()
  await attempt(account, 'a:/scratch', true)

  await attempt(account, 'a:/scratch', false)

  assert.deepEqual(await dueRows(account), [])
})

test('an alert of the previous release, which named no worker, is closed by any success', async () => {
  const account = await anAccount()
  await attempt(account, 'scratch', true)

  await attempt(account, 'a:/scratch', false)

  assert.deepEqual(await openAlerts(account), [])
})
