import pg from 'pg'
import type { ScheduleAccount } from './a-schedule-api.ts'

/** What belongs to an account and changes with its channels. */
const tables = [
  'linear_channels',
  'timelines',
  'runs',
  'feed_steps',
  'as_run_entries',
  'programs',
  'program_items',
  'due_rows',
] as const

export interface Backup {
  /** Restores all rows of the account; the platform is not notified. */
  restore(): Promise<void>
}

/** The rows of one account, as a dump of the whole database would have them. */
export async function takeBackup(ownerUrl: string, { accountId }: ScheduleAccount): Promise<Backup> {
  const superuserUrl = Object.assign(new URL(ownerUrl), { username: 'postgres' }).href
  const schema = `backup_${accountId.replaceAll('-', '')}_${backups++}`
  const query = async (...statements: readonly string[]) => {
    const client = new pg.Client(superuserUrl)
    await client.connect()
    for (const statement of statements) await client.query(statement)
    await client.end()
  }
  await query(
    `create schema ${schema}`,
    ...tables.map((it) => `create table ${schema}.${it} as table public.${it}`),
  )
  return {
    restore: () =>
      query(
        'begin',
        // As in a restore: rows come back in any order, without checks.
        'set local session_replication_role = replica',
        ...tables.flatMap((it) => [
          `delete from public.${it} where account_id = '${accountId}'`,
          `insert into public.${it} select * from ${schema}.${it} where account_id = '${accountId}'`,
        ]),
        'commit',
        `drop schema ${schema} cascade`,
      ),
  }
}

let backups = 0
