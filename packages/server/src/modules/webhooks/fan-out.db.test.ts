import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { sql } from 'kysely'
import { runTransaction } from '../../platform/database/database.ts'
import { fanOut } from './fan-out.ts'
import { findWebhook } from './store.ts'
import { aWebhook, aWebhookWorld, WEBHOOKS } from './testing/a-webhook-world.ts'

const world = await aWebhookWorld()
const { time } = world

/** A webhook whose lease is held, and its deliveries. */
async function aServedWebhook() {
  const account = await world.anAccount()
  const { accountId, admin, db } = account
  const { webhook_id } = await aWebhook(admin, 'https://hooks.example/one', { kinds: ['channel.*'] })
  const lease = randomUUID()
  await sql`update webhook_progress set lease = ${lease}, lease_until_ms = ${time.nowMs + 10_000}`.execute(db)
  const fanOutOnce = async (by = lease) => {
    const webhook = await findWebhook(db, accountId, webhook_id)
    return runTransaction(db, (tx) => fanOut(tx, webhook!, by, time.nowMs))
  }
  const kinds = async () => {
    const { rows } = await sql<{ readonly kind: string }>`
      select kind from webhook_deliveries order by position`.execute(db)
    const listed = await admin.get<{ hits: unknown[] }>(`${WEBHOOKS}/${webhook_id}/deliveries`)
    assert.equal(listed.json().hits.length, rows.length)
    return rows.map(({ kind }) => kind)
  }
  return {
    ...account,
    fanOut: fanOutOnce,
    kinds,
    /** An event is visible when no older transaction of the server is open, those of other tests included. */
    async fanOutUntil(deliveries: number) {
      const endMs = performance.now() + 30_000
      do assert.equal(await fanOutOnce(), 'all')
      while ((await kinds()).length < deliveries && performance.now() < endMs)
    },
  }
}

test('only the holder of the lease creates deliveries', async () => {
  const webhook = await aServedWebhook()
  await webhook.recordEvent('one', 'channel.first')

  assert.equal(await webhook.fanOut(randomUUID()), 'lost')
  assert.deepEqual(await webhook.kinds(), [])
  await webhook.fanOutUntil(1)
  assert.deepEqual(await webhook.kinds(), ['channel.first'])
})

test('an event that the cursor reaches again keeps its delivery', async () => {
  const webhook = await aServedWebhook()
  const { rows } = await sql<Record<string, number>>`
    select cursor_epoch, cursor_horizon, cursor_number from webhook_progress`.execute(webhook.db)
  const { cursor_epoch, cursor_horizon, cursor_number } = rows[0]!
  await webhook.recordEvent('one', 'channel.first')
  await webhook.fanOutUntil(1)
  await sql`update webhook_deliveries set state = 'DELIVERED'`.execute(webhook.db)
  await sql`update webhook_progress set cursor_epoch = ${cursor_epoch}, cursor_horizon = ${cursor_horizon},
              cursor_number = ${cursor_number}`.execute(webhook.db)
  await webhook.recordEvent('one', 'channel.second')

  await webhook.fanOutUntil(2)

  assert.deepEqual(await webhook.kinds(), ['channel.first', 'channel.second'])
  const { rows: states } = await sql`select state from webhook_deliveries order by position`.execute(
    webhook.db,
  )
  assert.deepEqual(states, [{ state: 'DELIVERED' }, { state: 'PENDING' }])
})

test('events from before the time of a replay are left out, wherever the cursor begins', async () => {
  const webhook = await aServedWebhook()
  await webhook.recordEvent('one', 'channel.before')
  time.nowMs += 1_000
  await webhook.recordEvent('one', 'channel.after')
  await sql`update webhook_progress set from_ms = ${time.nowMs}`.execute(webhook.db)

  await webhook.fanOutUntil(1)

  assert.deepEqual(await webhook.kinds(), ['channel.after'])
})
