import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { StreamVersion } from '../../platform/feed/feed-contents.ts'

export interface DatabaseState {
  readonly epoch: number
  /**
   * Changes whenever the database may have been restored: with the server process, and with the storage of the
   * timelines, which a restore writes anew.
   */
  readonly identity: string
}

export async function readDatabaseState(db: Db): Promise<DatabaseState> {
  const { rows } = await sql<DatabaseState>`
    select epoch,
           concat_ws('/', pg_postmaster_start_time(), 'public.timelines'::regclass::oid,
                     pg_relation_filenode('public.timelines')) as identity
      from feed_epoch`.execute(db)
  return rows[0]!
}

/** Undefined where another process has begun one since `expected` was read. */
export async function beginEpoch(
  platform: Db,
  epoch: { readonly expected: number; readonly above: number; readonly reason: string },
  nowMs: number,
): Promise<number | undefined> {
  const { rows } = await sql<{ readonly epoch: number | null }>`
    select begin_feed_epoch(${epoch.expected}, ${epoch.above}, ${nowMs}, ${epoch.reason}) as epoch`.execute(
    platform,
  )
  return rows[0]!.epoch ?? undefined
}

/** How many of these published updates the database does not know: of a channel that is newer, or that it does not have. */
export async function countUnknown(platform: Db, versions: readonly StreamVersion[]): Promise<number> {
  const published = versions.map(({ id, epoch, version }) => ({
    account_id: id.accountId,
    linear_channel_id: id.channelId,
    epoch,
    version,
  }))
  const { rows } = await sql<{ readonly count: number }>`
    select count_unknown_updates(${JSON.stringify(published)}::jsonb) as count`.execute(platform)
  return rows[0]!.count
}
