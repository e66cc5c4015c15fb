import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import type { Compilable } from 'kysely'
import pg from 'pg'
import { lowestIdAt } from '../../platform/crypto/ids.ts'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { queryPlans } from '../../platform/testing/query-plan.ts'
import type { AuditFilter } from './audit-filter.ts'
import { countAudit, selectAudit } from './store.ts'

const one = randomUUID()
const other = randomUUID()
const it = await aDatabase()
await addAccounts(it.ownerUrl, { one, other })

/** 25,000 entries in each account, a minute apart; 50 users and 2,000 subjects share them. */
const ENTRIES = 25_000
const FIRST_MS = Date.parse('2026-01-01T00:00:00Z')
const user = '00000000-0000-7000-8000-000000000007'
await fill()

const middleMs = FIRST_MS + (ENTRIES / 2) * 60_000
const filters: Readonly<Record<string, { filter: AuditFilter; index: string }>> = {
  nothing: { filter: {}, index: 'audit_entries_pkey' },
  time: { filter: { fromMs: FIRST_MS, toMs: middleMs }, index: 'audit_entries_pkey' },
  user: { filter: { userId: user }, index: 'audit_entries_by_user' },
  'user and time': { filter: { userId: user, toMs: middleMs }, index: 'audit_entries_by_user' },
  subject: { filter: { subjectId: 'subject-7' }, index: 'audit_entries_by_subject' },
  'subject and time': {
    filter: { subjectId: 'subject-7', fromMs: middleMs },
    index: 'audit_entries_by_subject',
  },
}

for (const [name, { filter, index }] of Object.entries(filters)) {
  test(`a page of entries by ${name} uses an index and no sort`, async () => {
    const db = it.database.forAccount(one)

    for (const beforeId of [undefined, lowestIdAt(middleMs)]) {
      await assertIndexScan(selectAudit(db, one, filter, beforeId, 31), index)
    }
    await assertIndexScan(countAudit(db, one, filter, 10_001), index)
  })
}

async function assertIndexScan(query: Compilable, index: string): Promise<void> {
  for (const steps of Object.values(await queryPlans(it.serviceUrl, one, query))) {
    const types = steps.map(({ type }) => type)
    assert.ok(!types.some((type) => /Seq Scan|Sort/.test(type)), JSON.stringify(steps))
    assert.deepEqual(
      steps.flatMap((step) => step.index ?? []),
      [index],
    )
  }
}

async function fill(): Promise<void> {
  const owner = new pg.Client({ connectionString: it.ownerUrl })
  await owner.connect()
  // The test server runs with synchronous_commit = off, and vacuum skips rows whose commit is not flushed yet.
  await owner.query('set synchronous_commit = on')
  await owner.query('alter table audit_entries set (autovacuum_enabled = off)')
  for (const account of [one, other]) {
    await owner.query(
      `insert into audit_entries (account_id, audit_id, at_ms, user_id, action, subject_type, subject_id)
       select $1, overlay(overlay($2::text placing left(time, 8) from 1) placing right(time, 4) from 10)::uuid, at_ms,
              ('00000000-0000-7000-8000-' || lpad((i % 50)::text, 12, '0'))::uuid,
              'channel.override', 'linear_channel', 'subject-' || i % 2000
         from generate_series(0, $4::integer - 1) i,
              lateral (select $3::bigint + i * 60000 as at_ms) t, lateral (select lpad(to_hex(at_ms), 12, '0') as time) h`,
      [account, '00000000-0000-7000-8000-000000000000', FIRST_MS, ENTRIES],
    )
  }
  await owner.query('vacuum analyze audit_entries')
  await owner.end()
}
