import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anActor } from '../../platform/testing/an-actor.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import { aWebhook, aWebhookWorld } from './testing/a-webhook-world.ts'
import { anEndpoint, until } from './testing/an-endpoint.ts'

const world = await aWebhookWorld()

test('a webhook that follows alerts receives opened, changed and closed, in this order', async (t) => {
  const { admin, accountId, db } = await world.anAccount()
  await using endpoint = await anEndpoint()
  await aWebhook(admin, endpoint.url, { kinds: ['alert.*'] })
  const actor = anActor(accountId, { nowMs: world.time.nowMs })
  const alert = {
    severity: 'WARNING',
    code: 'schedule.ending',
    message: 'The schedule ends in 6 days.',
    subjectType: 'linear_channel',
    subjectId: 'north-one',
  } as const

  await db.transaction().execute((tx) => openAlert(tx, actor, alert))
  await db.transaction().execute((tx) => openAlert(tx, actor, { ...alert, severity: 'CRITICAL' }))
  await db.transaction().execute((tx) => closeAlert(tx, actor, alert))
  world.aWorker(t, [endpoint.port])
  await until(() => endpoint.received.length === 3)

  assert.deepEqual(
    endpoint.received.map(({ type }) => type),
    ['alert.opened', 'alert.changed', 'alert.closed'],
  )
  const about = { code: alert.code, subject_type: alert.subjectType, subject_id: alert.subjectId }
  const opened = { ...about, severity: 'WARNING', message: alert.message }
  assert.deepEqual(
    endpoint.received.map(({ body }) => (JSON.parse(body) as { data: unknown }).data),
    [opened, { ...opened, severity: 'CRITICAL' }, about],
  )
  assert.equal(new Set(endpoint.received.map(({ subjectId }) => subjectId)).size, 1)
})
