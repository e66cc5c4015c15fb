import { sql } from 'kysely'
import type { Db, Statement } from '../../platform/database/database.ts'
import { dueRow, endedRows, writingOf } from '../../platform/due/due-rows.ts'
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
export function insertStep(
  timeline: TimelineRecord,
  { body, nowMs, dueMs }: { readonly body: Uint8Array; readonly nowMs: number; readonly dueMs: number },
): Statement {
  const { accountId, channelId, feedVersion } = timeline
  return sql`
    with step as (
      insert into feed_steps (account_id, linear_channel_id, version, body, created_ms)
      values (${accountId}, ${channelId}, ${feedVersion}, ${Buffer.from(body)}, ${nowMs})
    ), due as (
      ${dueRow({ kind: 'publish_feed', subjectId: channelId, accountId, dueMs })}
    )
    ${timelineRow(timeline)}`
}

/** In their order. None of a timeline that was not compared with what is published: they are dropped when it is rebased. */
export async function listSteps(db: Db, id: TimelineId): Promise<readonly FeedStepRecord[]> {
  const { rows } = await sql<FeedStepRecord>`
    select version, body from feed_steps
     where account_id = ${id.accountId} and linear_channel_id = ${id.channelId} and ${isTimelineInLine(id)}
     order by version`.execute(db)
  return rows
}

/** A step of one of several channels. */
export interface ChannelStepRecord extends FeedStepRecord {
  readonly channelId: string
  /** Which writing of the row this is by which a worker would publish the step. */
  readonly writing: string | null
}

/** The same of several channels. */
export async function listStepsOf(
  db: Db,
  accountId: string,
  channelIds: readonly string[],
): Promise<readonly ChannelStepRecord[]> {
  const { rows } = await sql<ChannelStepRecord>`
    select s.linear_channel_id as "channelId", s.version, s.body,
           ${writingOf('publish_feed', sql`s.linear_channel_id::text`)} as writing
      from feed_steps s
     where s.account_id = ${accountId} and s.linear_channel_id = any(${channelIds}::uuid[])
       and ${isTimelineInLine({ accountId, channelId: sql`s.linear_channel_id` })}
     order by s.linear_channel_id, s.version`.execute(db)
  return rows
}

/**
 * Those that were acknowledged, given the last of each channel, and the rows by which a worker would publish them. Where
 * such a row was written since, or another transaction has it, both stay: a later step has come, and whoever publishes
 * that one ends both. So two who publish the same channels do not wait for each other.
 */
export async function endStepsOf(
  db: Db,
  accountId: string,
  last: readonly Omit<ChannelStepRecord, 'body'>[],
): Promise<void> {
  const ids = last.map(({ channelId }) => channelId)
  const versions = last.map(({ version }) => version)
  const writings = last.map(({ writing }) => writing)
  await sql`
    with ended as (
      ${endedRows('publish_feed', ids, writings)}
    )
    delete from feed_steps s using ended, unnest(${ids}::uuid[], ${versions}::bigint[]) as p (id, last)
     where s.account_id = ${accountId} and s.linear_channel_id = p.id and s.version <= p.last
       and ended.subject_id = p.id::text`.execute(db)
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
