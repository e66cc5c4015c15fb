import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { aReleasedDatabase } from '../platform/testing/a-database.ts'
import { buildDueHandlers } from './build-jobs.ts'

const { database } = await aReleasedDatabase()

test('while there are dead letters the next round is due at once, otherwise a minute later', async () => {
  await sql`
    insert into pgboss.job (name, data, source_name, source_id, source_retry_count)
    select 'dead_letters', jsonb_build_object('data', jsonb_build_object('asset_id', gen_random_uuid())),
           'package_asset', gen_random_uuid(), 10
      from generate_series(1, 150)`.execute(database.platform)
  const due = { kind: 'fail_dead_assets', subjectId: 'platform', accountId: undefined, dueMs: 0 } as const
  // This kind does not use the dependencies of the schedule.
  const { fail_dead_assets: sweep } = buildDueHandlers({} as Parameters<typeof buildDueHandlers>[0])
  const round = async (nowMs: number) => {
    await database.platform.transaction().execute(async (tx) => void (await sweep(tx, due, nowMs)))
    const { rows } = await sql<{ dueMs: number }>`
      select due_ms as "dueMs" from due_rows where kind = 'fail_dead_assets'`.execute(database.platform)
    return rows[0]?.dueMs
  }

  const dueMs = [await round(1_000), await round(2_000)]

  assert.deepEqual(dueMs, [1_000, 62_000])
})
