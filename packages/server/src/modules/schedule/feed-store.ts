import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { dueRow } from '../../platform/due/due-rows.ts'
import { isTimelineInLine, type TimelineId, type TimelineRecord, timelineRow } from './timeline-store.ts'

/** A step of a channel's feed that NATS has not acknowledged yet. */
export interface FeedStepRecord {
  readonly version: number
  readonly body: Buffer
}

/**
 * A step that is to be published, the row by which a worker publishes it from `dueMs` on, and the timeline that it
 * leads to: one statement, as every cut waits for it.
 */
export async function insertStep(
  tx: Transaction,
  timeline: TimelineRecord,
  { body, nowMs, dueMs }: { readonly body: Uint8Array; readonly nowMs: number; readonly dueMs: number },
): Promise<void> {
  const { accountId, channelId, feedVersion } = timeline
  await sql`
    with step as (
      insert into feed_steps (account_id, linear_channel_id, version, body, created_ms)
      values (${accountId}, ${channelId}, ${feedVersion}, ${Buffer.from(body)}, ${nowMs})
    ), due as (
      ${dueRow({ kind: 'publish_feed', subjectId: channelId, accountId, dueMs })}
    )
    ${timelineRow(timeline)}`.execute(tx)
}

/** In their order. None of a timeline that was not compared with what is published: they are dropped when it is rebased. */
export async function listSteps(db: Db, id: TimelineId): Promise<readonly FeedStepRecord[]> {
  const { rows } = await sql<FeedStepRecord>`
    select version, body from feed_steps
     where account_id = ${id.accountId} and linear_channel_id = ${id.channelId} and ${isTimelineInLine(id)}
     order by version`.execute(db)
  return rows
}

/** Those that were acknowledged; gives what has come meanwhile. */
export async function exchangeSteps(
  db: Db,
  { accountId, channelId }: TimelineId,
  upToVersion: number,
): Promise<readonly FeedStepRecord[]> {
  const { rows } = await sql<FeedStepRecord>`
    with gone as (
      delete from feed_steps
       where account_id = ${accountId} and linear_channel_id = ${channelId} and version <= ${upToVersion}
    )
    select version, body from feed_steps
     where account_id = ${accountId} and linear_channel_id = ${channelId} and version > ${upToVersion}
     order by version`.execute(db)
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
