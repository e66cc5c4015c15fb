import { type AudienceRow, encodeBatch } from '@continuity/core/audience/audience-batch'
import { type Figures, median, round } from '@continuity/dev/figures'
import { startTestPostgres, withDatabase } from '@continuity/dev/test-postgres'
import pg from 'pg'
import { addBatch } from '../../packages/server/src/modules/audience/add-batch.ts'
import { createReferences } from '../../packages/server/src/modules/audience/references.ts'
import { newId } from '../../packages/server/src/platform/crypto/ids.ts'
import { openDatabase } from '../../packages/server/src/platform/database/database.ts'
import { createLog } from '../../packages/server/src/platform/log/logger.ts'
import { addAccounts } from '../../packages/server/src/platform/testing/an-account.ts'
import type { BenchContext } from '../bench.ts'

export interface RollUpSizes {
  /** As many as a batch has. */
  readonly rows: number
  readonly batches: number
}

const MINUTE_MS = Math.floor(Date.UTC(2026, 2, 1, 12) / 60_000) * 60_000

/**
 * Rows per second that a batch adds to the hours and minutes, against a bare COPY of as many rows into tables with the same
 * keys: with rows that are new, and with rows that all exist.
 */
export async function measureRollUp(sizes: RollUpSizes, { rounds, log }: BenchContext): Promise<Figures> {
  await using server = await startTestPostgres()
  const owner = new pg.Client({ connectionString: server.templateUrl })
  await owner.connect()
  const accountId = newId(0)
  await addAccounts(server.templateUrl, { bench: accountId })
  const { logger } = createLog({ level: 'silent', process: 'bench', instance: 'bench' })
  const url = withDatabase(server.serviceUrl, new URL(server.templateUrl).pathname.slice(1))
  const database = openDatabase(url, { connections: 2, logger, patience: 8 })
  const deps = { database, clock: () => MINUTE_MS, references: createReferences() }
  await owner.query(`select make_audience_day(${Math.floor(MINUTE_MS / 86_400_000)})`)
  for (const table of ['hours', 'minutes']) {
    await owner.query(`create table bare_${table} (like audience_${table} including all)`)
  }
  const ratios = { fresh: [] as number[], conflicting: [] as number[], bare: [] as number[] }
  try {
    for (let at = 0; at <= rounds; at += 1) {
      const batches = Array.from({ length: sizes.batches }, () => rowsOf(sizes.rows))
      const bare = await timed(() => copyBare(owner, accountId, batches))
      const send = async () => {
        for (const rows of batches) {
          const batch = { batchId: newId(MINUTE_MS), accountId, closedMs: MINUTE_MS, rows }
          if ((await addBatch(deps, encodeBatch(batch))) !== 'applied') throw new Error('not applied')
        }
      }
      const fresh = await timed(send)
      const conflicting = await timed(send)
      log(
        `round ${at}: bare ${Math.round(bare)} ms, new ${Math.round(fresh)}, conflicting ${Math.round(conflicting)}`,
      )
      // The first warms up.
      if (at === 0) continue
      ratios.fresh.push(bare / fresh)
      ratios.conflicting.push(bare / conflicting)
      ratios.bare.push((2 * sizes.rows * sizes.batches) / (bare / 1_000))
    }
  } finally {
    await database.close()
    await owner.end()
  }
  return {
    roll_up_ratio_new: round(median(ratios.fresh), 3),
    roll_up_ratio_conflicting: round(median(ratios.conflicting), 3),
    bare_copy_rows_per_second: Math.round(median(ratios.bare)),
  }
}

/** Each of its own channel: as many rows by hour as by minute. They have no video to look up: a span is looked up once. */
const rowsOf = (count: number): AudienceRow[] =>
  Array.from({ length: count }, () => ({
    channelId: newId(MINUTE_MS),
    distributor: 'direct',
    country: 'DE',
    minuteMs: MINUTE_MS,
    spanTicks: MINUTE_MS * 90,
    type: 'AD_POD',
    programId: newId(0),
    component: 1,
    cmcdV2Ms: 0,
    cmcdV1Ms: 0,
    heartbeatMs: 5_000,
    starts: 1,
  }))

async function copyBare(
  owner: pg.Client,
  accountId: string,
  batches: readonly AudienceRow[][],
): Promise<void> {
  for (const rows of batches) {
    await owner.query('begin')
    for (const table of ['hours', 'minutes'] as const) await copyInto(owner, table, accountId, rows)
    await owner.query('commit')
  }
}

async function copyInto(
  owner: pg.Client,
  table: 'hours' | 'minutes',
  accountId: string,
  rows: readonly AudienceRow[],
): Promise<void> {
  const { CopyQuery } = await import('../../packages/server/src/platform/database/copy-query.ts')
  const lines = rows.map((row) => {
    const country = table === 'hours' ? `${row.country}\t` : ''
    const time = table === 'hours' ? row.minuteMs - (row.minuteMs % 3_600_000) : row.minuteMs
    return `${accountId}\t${time}\t${row.channelId}\t${row.distributor}\t${country}${row.spanTicks}\t${row.type}\t${row.programId}\t${row.component}\t\\N\t0\t0\t5000\t1\n`
  })
  const query = new CopyQuery(`copy bare_${table} from stdin`, Buffer.from(lines.join('')))
  await new Promise<void>((resolve, reject) => {
    Object.assign(query, { callback: (error: Error | null) => (error ? reject(error) : resolve()) })
    owner.query(query as unknown as pg.Submittable)
  })
}

async function timed(work: () => Promise<void>): Promise<number> {
  const startMs = performance.now()
  await work()
  return performance.now() - startMs
}
