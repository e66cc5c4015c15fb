import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aScheduleApi, type ScheduleAccount, videoItem } from './testing/a-schedule-api.ts'

const { api, anAccount, aVideo, place, sweep } = await aScheduleApi()

const HOUR_MS = 3_600_000

/** Places a program of one video; whether it came in time. */
async function isInTime(account: ScheduleAccount, startMs: number, endMs: number, title: string) {
  const items = [videoItem(await aVideo(account, 60), 60)]
  return place(account, { startMs, endMs, items, title }).then(
    () => true,
    (error: Error) => {
      assert.equal(error.message, 'too_late')
      return false
    },
  )
}

async function placedIn({ db, channelId }: ScheduleAccount): Promise<string[]> {
  const { rows } = await sql<{ title: string }>`
    select title from programs
     where linear_channel_id = ${channelId} and removed_ms is null order by start_ms`.execute(db)
  return rows.map(({ title }) => title)
}

test('a program comes in time up to half a minute before its end', async () => {
  const account = await anAccount()
  const endMs = api.nowMs + 30_000

  assert.equal(await isInTime(account, endMs - HOUR_MS, endMs - 1, 'Late'), false)
  assert.equal(await isInTime(account, endMs - HOUR_MS, endMs, 'In time'), true)

  assert.deepEqual(await placedIn(account), ['In time'])
})

test('a program is replaced up to half a minute before its start, and then plays', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + HOUR_MS
  const endMs = startMs + HOUR_MS
  const { nowMs } = api
  assert.equal(await isInTime(account, startMs, endMs, 'First'), true)

  api.nowMs = startMs - 30_000
  assert.equal(await isInTime(account, startMs, endMs, 'Second'), true)
  assert.deepEqual(await placedIn(account), ['Second'])
  api.nowMs += 1
  assert.equal(await isInTime(account, startMs, endMs, 'Third'), false)

  assert.deepEqual(await placedIn(account), ['Second'])
  api.nowMs = nowMs
})

test('the alert of a late item is closed as soon as another program has its time', async () => {
  const account = await anAccount()
  const startMs = api.nowMs + HOUR_MS
  const endMs = startMs + HOUR_MS
  await place(account, { startMs, endMs, items: [videoItem(await aVideo(account, 60, false), 60)] })
  api.nowMs = startMs - 4 * 60_000
  await sweep()
  assert.deepEqual(await openAlerts(account), ['item.late'])

  assert.equal(await isInTime(account, startMs, endMs, 'Ready'), true)
  await sweep()

  assert.deepEqual(await openAlerts(account), [])
})

async function openAlerts({ db, accountId }: ScheduleAccount): Promise<string[]> {
  const { rows } = await sql<{ code: string }>`
    select code from alerts where account_id = ${accountId} and closed_ms is null`.execute(db)
  return rows.map(({ code }) => code)
}
