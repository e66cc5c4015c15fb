import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { TimelineId } from './timeline-store.ts'

/** A step of a channel's feed that NATS has not acknowledged yet. */
export interface FeedStepRecord {
  readonly version: number
  readonly body: Buffer
}

export async function insertStep(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  { version, body }: { readonly version: number; readonly body: Uint8Array },
  nowMs: number,
): Promise<void> {
  await sql`
    insert into feed_steps (account_id, linear_channel_id, version, body, created_ms)
    values (${accountId}, ${channelId}, ${version}, ${Buffer.from(body)}, ${nowMs})`.execute(tx)
}

/** In their order. */
export async function listSteps(
  db: Db,
  { accountId, channelId }: TimelineId,
): Promise<readonly FeedStepRecord[]> {
  const { rows } = await sql<FeedStepRecord>`
    select version, body from feed_steps
     where account_id = ${accountId} and linear_channel_id = ${channelId} order by version`.execute(db)
  return rows
}

export async function deleteSteps(
  db: Db,
  { accountId, channelId }: TimelineId,
  upToVersion: number,
): Promise<void> {
  await sql`
    delete from feed_steps
     where account_id = ${accountId} and linear_channel_id = ${channelId} and version <= ${upToVersion}`.execute(
    db,
  )
}

export async function hasSteps(db: Db, { accountId, channelId }: TimelineId): Promise<boolean> {
  const { rows } = await sql`
    select from feed_steps
     where account_id = ${accountId} and linear_channel_id = ${channelId} limit 1`.execute(db)
  return rows.length > 0
}
