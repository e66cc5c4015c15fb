import { sql } from 'kysely'
import type { Db } from '../../platform/database/database.ts'
import type { StreamVersion } from '../../platform/feed/feed-contents.ts'
import type { FeedChannelId } from '../../platform/feed/feed-subjects.ts'

export interface DatabaseState {
  readonly epoch: number
  /** Changes whenever the database may have been restored. */
  readonly identity: string
  /** Of the database that was last compared with the stream; null before the first time. */
  readonly comparedIdentity: string | null
  /** Whether restored events are still to be put in order. */
  readonly isOrdering: boolean
}

export async function readDatabaseState(db: Db): Promise<DatabaseState> {
  const { rows } = await sql<DatabaseState>`
    select epoch, database_identity() as identity, compared_identity as "comparedIdentity",
           events_until is not null as "isOrdering"
      from feed_epoch`.execute(db)
  return rows[0]!
}

/** From now on runs may be committed on the timelines of this database. */
export async function noteCompared(
  platform: Db,
  { epoch, identity }: Pick<DatabaseState, 'epoch' | 'identity'>,
): Promise<void> {
  await sql`select note_database_compared(${epoch}, ${identity})`.execute(platform)
}

/** Puts some of the restored events in order; false where none is left. */
export async function orderEvents(platform: Db, most: number): Promise<boolean> {
  const { rows } = await sql<{ readonly count: number }>`
    select reset_event_horizons(${most}) as count`.execute(platform)
  return rows[0]!.count > 0
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

/** Which of these published updates the database does not have: it has an older one, or not even the channel. */
export async function listUnknown(
  platform: Db,
  versions: readonly StreamVersion[],
): Promise<readonly FeedChannelId[]> {
  const published = versions.map(({ id, epoch, version }) => ({
    account_id: id.accountId,
    linear_channel_id: id.channelId,
    epoch,
    version,
  }))
  const { rows } = await sql<FeedChannelId>`
    select account_id as "accountId", linear_channel_id as "channelId"
      from list_unknown_updates(${JSON.stringify(published)}::jsonb)`.execute(platform)
  return rows
}
