import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import pg from 'pg'
import { aDatabase } from '../../platform/testing/a-database.ts'
import { addAccounts } from '../../platform/testing/an-account.ts'
import { queryPlans } from '../../platform/testing/query-plan.ts'
import type { AlertFilter } from './alert.ts'
import { selectAlerts } from './store.ts'

const one = randomUUID()
const other = randomUUID()
const it = await aDatabase()
await addAccounts(it.ownerUrl, { one, other })
await fill()

const filters: readonly { filter: AlertFilter; index: string }[] = [
  { filter: { state: 'ALL' }, index: 'alerts_pkey' },
  { filter: { state: 'CLOSED' }, index: 'alerts_pkey' },
  { filter: { state: 'OPEN' }, index: 'alerts_open_by_id' },
  { filter: { state: 'OPEN', severity: 'CRITICAL' }, index: 'alerts_open_by_id' },
  { filter: { state: 'ALL', severity: 'CRITICAL' }, index: 'alerts_by_severity' },
]

for (const { filter, index } of filters) {
  test(`a page of alerts ${JSON.stringify(filter)} uses an index`, async () => {
    const query = selectAlerts(it.database.forAccount(one), one, filter, randomUUID(), 31)

    for (const steps of Object.values(await queryPlans(it.serviceUrl, one, query))) {
      assert.ok(!steps.some(({ type }) => type.includes('Seq Scan')), JSON.stringify(steps))
      assert.deepEqual(
        steps.flatMap((step) => step.index ?? []),
        [index],
      )
    }
  })
}

/** 20,000 in each account; one in a thousand is open, one in a hundred is critical. */
async function fill(): Promise<void> {
  const owner = new pg.Client({ connectionString: it.ownerUrl })
  await owner.connect()
  for (const account of [one, other]) {
    await owner.query(
      `insert into alerts (account_id, alert_id, severity, code, message, subject_type, subject_id, opened_ms, closed_ms)
       select $1, gen_random_uuid(), case when i % 100 = 0 then 'CRITICAL' else 'WARNING' end, 'live_source.signal_lost', '',
              'live_source', i, i, case when i % 1000 <> 0 then i end
         from generate_series(1, 20000) i`,
      [account],
    )
  }
  await owner.query('vacuum analyze alerts')
  await owner.end()
}
