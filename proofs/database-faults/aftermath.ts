import { pollUntil } from '@continuity/dev/waiting'
import { sql } from 'kysely'
import type { FaultSystem, FaultyApi } from './fault-system.ts'
import type { AccountRequest, WrittenRecord } from './requests.ts'
import { isDone, type Outcome, send } from './send.ts'
import { severalAtOnce } from './several-at-once.ts'

export interface Connections {
  readonly inTransaction: number
  /** Those of the process, as the server counts them. */
  readonly atServer: number
  /** And as the process counts them. */
  readonly atProcess: number
}

/** After all requests have ended. The server gets 2 s to notice closed connections. */
export async function countConnections(it: FaultSystem, api: FaultyApi): Promise<Connections> {
  const count = async (): Promise<Connections> => {
    const { rows } = await sql<{ state: string; count: number }>`
      select state, count(*) from pg_stat_activity
       where application_name = 'continuity' group by state`.execute(it.database.platform)
    const metrics = await (await fetch(`${api.baseUrl}/metrics`)).text()
    return {
      inTransaction: sumOf(rows.filter(({ state }) => state.startsWith('idle in transaction'))),
      atServer: sumOf(rows),
      atProcess: Number(/^database_connections (\d+)$/m.exec(metrics)?.[1]),
    }
  }
  const settled = await pollUntil(async () => {
    const seen = await count()
    return seen.atServer === seen.atProcess ? seen : undefined
  }, 2_000)
  return settled ?? count()
}

const sumOf = (rows: readonly { readonly count: number }[]) => rows.reduce((sum, { count }) => sum + count, 0)

export interface Written {
  /** Writes that were answered with success, and how many of them are missing. */
  readonly acknowledged: number
  readonly lost: number
  /** Other writes, which are sent again; how many of these failed; and how many are stored twice. */
  readonly repeated: number
  readonly notDone: number
  readonly twice: number
}

/** Checks that successful writes are stored, repeats the others, and checks that none is stored twice. */
export async function checkWrites(
  it: FaultSystem,
  api: FaultyApi,
  headersOf: (word: string) => Readonly<Record<string, string>>,
  outcomes: readonly Outcome[],
): Promise<Written> {
  const writes = outcomes.filter(({ request }) => request.record !== undefined)
  const done = writes.filter(isDone).map(({ request }) => request)
  const countBefore = await readRecords(it)
  const open = writes.filter((outcome) => !isDone(outcome) && outcome.request.key !== undefined)
  const repeats = await severalAtOnce(4, open, ({ request }) =>
    send(api.baseUrl, headersOf(request.word), request),
  )
  const countAfter = await readRecords(it)
  const made = [...done, ...open.map(({ request }) => request)]
  return {
    acknowledged: done.length,
    lost: done.filter((request) => countBefore(request) === 0).length,
    repeated: open.length,
    notDone: repeats.filter((outcome) => !isDone(outcome)).length,
    twice: made.filter((request) => countAfter(request) > 1).length,
  }
}

/** Counts the record of a request in the account of the request. */
async function readRecords({ database }: FaultSystem): Promise<(request: AccountRequest) => number> {
  const { rows } = await sql<WrittenRecord & { word: string }>`
    select accounts.name as word, record.* from accounts join (
      select account_id, 'linear_channels' as table, 'title' as column, title as text from linear_channels
      union all
      select account_id, 'linear_channels', 'description', description from linear_channels
      union all
      select account_id, 'brands', 'name', name from brands
      union all
      select account_id, 'app_keys', 'app_name', app_name from app_keys
    ) record using (account_id)`.execute(database.platform)
  const nameOf = (word: string, { table, column, text }: WrittenRecord) =>
    [word, table, column, text].join(' ')
  const counts = new Map<string, number>()
  for (const row of rows) {
    const name = nameOf(row.word, row)
    counts.set(name, (counts.get(name) ?? 0) + 1)
  }
  return ({ word, record }) => (record === undefined ? 0 : (counts.get(nameOf(word, record)) ?? 0))
}
