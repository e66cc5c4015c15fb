import { sql } from 'kysely'
import type { Db, Statement } from '../../platform/database/database.ts'
import { deleteUnchanged, dueRow, versionOf } from '../../platform/due/due-rows.ts'
import { isTimelineInLine, type TimelineId, type TimelineRecord, timelineRow } from './timeline-store.ts'

/** An update of a channel's feed that NATS has not acknowledged yet. */
export interface FeedUpdateRecord {
  readonly version: number
  readonly body: Buffer
}

/**
 * Inserts an update to publish and the due row by which a worker publishes it from `dueMs` on, and updates the timeline: one
 * statement, because every cut waits for it.
 */
export function insertUpdate(
  timeline: TimelineRecord,
  { body, nowMs, dueMs }: { readonly body: Uint8Array; readonly nowMs: number; readonly dueMs: number },
): Statement {
  const { accountId, channelId, feedVersion } = timeline
  return sql`
    with added as (
      insert into feed_steps (account_id, linear_channel_id, version, body, created_ms)
      values (${accountId}, ${channelId}, ${feedVersion}, ${Buffer.from(body)}, ${nowMs})
    ), due as (
      ${dueRow({ kind: 'publish_feed', subjectId: channelId, accountId, dueMs })}
    )
    ${timelineRow(timeline)}`
}

/** In order. None of a timeline that was not compared with what is published: its updates are dropped when it is rebased. */
export async function listUpdates(db: Db, id: TimelineId): Promise<readonly FeedUpdateRecord[]> {
  const { rows } = await sql<FeedUpdateRecord>`
    select version, body from feed_steps
     where account_id = ${id.accountId} and linear_channel_id = ${id.channelId} and ${isTimelineInLine(id)}
     order by version`.execute(db)
  return rows
}

/** An update of one of several channels. */
export interface ChannelUpdateRecord extends FeedUpdateRecord {
  readonly channelId: string
  /** The version of the due row by which a worker would publish the update. */
  readonly writing: string | null
}

/** The same for several channels. */
export async function listUpdatesOf(
  db: Db,
  accountId: string,
  channelIds: readonly string[],
): Promise<readonly ChannelUpdateRecord[]> {
  const { rows } = await sql<ChannelUpdateRecord>`
    select s.linear_channel_id as "channelId", s.version, s.body,
           ${versionOf('publish_feed', sql`s.linear_channel_id::text`)} as writing
      from feed_steps s
     where s.account_id = ${accountId} and s.linear_channel_id = any(${channelIds}::uuid[])
       and ${isTimelineInLine({ accountId, channelId: sql`s.linear_channel_id` })}
     order by s.linear_channel_id, s.version`.execute(db)
  return rows
}

/**
 * Deletes acknowledged updates, given the last one of each channel, and the due rows by which a worker would publish them.
 * Where such a row was written since, or is locked by another transaction, both stay: the publisher of the later update
 * deletes both. So two publishers of the same channels do not wait for each other.
 */
export async function endUpdatesOf(
  db: Db,
  accountId: string,
  last: readonly Omit<ChannelUpdateRecord, 'body'>[],
): Promise<void> {
  const ids = last.map(({ channelId }) => channelId)
  const versions = last.map(({ version }) => version)
  const writings = last.map(({ writing }) => writing)
  await sql`
    with ended as (
      ${deleteUnchanged('publish_feed', ids, writings)}
    )
    delete from feed_steps s using ended, unnest(${ids}::uuid[], ${versions}::bigint[]) as p (id, last)
     where s.account_id = ${accountId} and s.linear_channel_id = p.id and s.version <= p.last
       and ended.subject_id = p.id::text`.execute(db)
}

/** Deletes acknowledged updates, and returns those that were added meanwhile. */
export async function exchangeUpdates(
  db: Db,
  { accountId, channelId }: TimelineId,
  upToVersion: number,
): Promise<readonly FeedUpdateRecord[]> {
  const { rows } = await sql<FeedUpdateRecord>`
    with gone as (
      delete from feed_steps
       where account_id = ${accountId} and linear_channel_id = ${channelId} and version <= ${upToVersion}
    )
    select version, body from feed_steps
     where account_id = ${accountId} and linear_channel_id = ${channelId} and version > ${upToVersion}
     order by version`.execute(db)
  return rows
}

export async function deleteUpdates(
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

export async function hasUpdates(db: Db, { accountId, channelId }: TimelineId): Promise<boolean> {
  const { rows } = await sql`
    select from feed_steps
     where account_id = ${accountId} and linear_channel_id = ${channelId} limit 1`.execute(db)
  return rows.length > 0
}
