import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { jetstream } from '@nats-io/jetstream'
import { sql } from 'kysely'
import { NOW_MS } from '../../http/testing/credentials.ts'
import { newId } from '../../platform/crypto/ids.ts'
import { aConnectedBus, someNats, until } from '../../platform/feed/testing/a-feed-system.ts'
import { reportSubject } from '../../platform/live-bus/live-streams.ts'
import { createLog } from '../../platform/log/logger.ts'
import { keepSources } from './keep-sources.ts'
import { aLiveApi } from './testing/a-live-api.ts'

const { accountId, db, database } = await aLiveApi()
const { logger } = createLog({ level: 'silent', process: 'test', instance: 'test' })
const LATER_MS = NOW_MS + 30_000

/** Sources that are due later, and the code under test with a broker of its own. */
async function someSources(t: TestContext) {
  const sourceIds = [newId(NOW_MS), newId(NOW_MS)]
  for (const id of sourceIds) {
    await sql`insert into due_rows (kind, subject_id, account_id, due_ms)
              values ('live_source', ${id}, ${accountId}, ${LATER_MS})`.execute(db)
  }
  const nats = await someNats(t)
  const bus = await aConnectedBus(t, nats.servers[0]!.url)
  const state = { isPaused: false, checks: 0 }
  const { stop } = keepSources({
    bus,
    database,
    clock: () => NOW_MS,
    replicas: 1,
    logger,
    isPaused: () => {
      state.checks += 1
      return state.isPaused
    },
  })
  t.after(stop)
  const dueTimes = async () => {
    const { rows } = await sql<{ due_ms: number }>`
      select due_ms from due_rows where subject_id = any(${sourceIds}) order by subject_id`.execute(db)
    return rows.map(({ due_ms }) => due_ms)
  }
  const setBack = () =>
    sql`update due_rows set due_ms = ${LATER_MS} where subject_id = any(${sourceIds})`.execute(db)
  // The streams were missing: once they are made, every source is due.
  await until(async () => (await dueTimes()).every((ms) => ms === NOW_MS))
  await setBack()
  const report = (sourceId: string) =>
    jetstream(bus.connection()!).publish(reportSubject({ sourceId, input: 0 }), '{}')
  return { sourceIds: sourceIds.toSorted(), state, dueTimes, setBack, report }
}

test('a report of a receiver makes its source due at once, and no other', async (t) => {
  const { sourceIds, dueTimes, report } = await someSources(t)

  await report(sourceIds[1]!)

  await until(async () => (await dueTimes())[1] === NOW_MS)
  assert.deepEqual(await dueTimes(), [LATER_MS, NOW_MS])
})

test('reports that arrive while the worker takes no work count when it takes work again', async (t) => {
  const { sourceIds, state, dueTimes, setBack, report } = await someSources(t)

  state.isPaused = true
  await report(sourceIds[0]!)
  await report(sourceIds[0]!)
  // With reports it checks for a pause before each advance; without, only before it looks for lost streams.
  const checksBefore = state.checks
  await until(() => state.checks >= checksBefore + 3)
  assert.deepEqual(await dueTimes(), [LATER_MS, LATER_MS])
  state.isPaused = false

  await until(async () => (await dueTimes())[0] === NOW_MS)
  // A report counts once.
  await setBack()
  await report(sourceIds[1]!)
  await until(async () => (await dueTimes())[1] === NOW_MS)
  assert.deepEqual(await dueTimes(), [LATER_MS, NOW_MS])
})
