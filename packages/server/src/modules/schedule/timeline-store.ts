import type { AsRunEntry } from '@continuity/core/as-run/as-run'
import type { PackedRun, PackedTimeline } from '@continuity/core/timeline/codec/packed'
import type { Settled } from '@continuity/core/timeline/settle-run'
import type { SegmentNumbers } from '@continuity/core/timeline/skip-ahead'
import { type RawBuilder, sql } from 'kysely'
import {
  type Db,
  executeTogether,
  type Statement,
  type Transaction,
} from '../../platform/database/database.ts'

/** Which timeline it is: that of a channel. */
export interface TimelineId {
  readonly accountId: string
  readonly channelId: string
}

export interface TimelineRecord extends TimelineId {
  readonly version: number
  readonly feedVersion: number
  /** The epoch in which the timeline was last brought in line with what is published. */
  readonly feedEpoch: number
  /** The epoch of the platform: above `feedEpoch` where the database was restored, and the timeline is to be rebased. */
  readonly currentEpoch: number
  /**
   * Whether the timeline is known to be what was published. Not before it was rebased, nor while a database that may have
   * been restored is not compared with the stream.
   */
  readonly isInLine: boolean
  /** The lowest numbers of the next start, where the numbers that were used before are unknown. */
  readonly skipTo: SegmentNumbers | null
  readonly plannedUntilMs: number | null
  readonly changedMs: number | null
  readonly recordedSequence: number
  readonly openEntry: AsRunEntry | null
}

/** A run as it is stored: packed, with the titles of its components. */
export interface StoredRun extends PackedRun {
  readonly airings: readonly AiringTitle[]
}

/** The reference of a component and its title. */
export type AiringTitle = readonly [referenceId: string | null, title: string]

/**
 * A channel has a timeline from its first program or start on. A plan locks it before it reads the schedule, and a change of
 * the schedule is noted in it afterwards: so no change is overlooked.
 */
export async function ensureTimeline(tx: Transaction, { accountId, channelId }: TimelineId): Promise<void> {
  await sql`
    insert into timelines (account_id, linear_channel_id, version, feed_version, feed_epoch, recorded_sequence)
    values (${accountId}, ${channelId}, 0, 0, (select epoch from feed_epoch), 0)
    on conflict do nothing`.execute(tx)
}

export async function findTimeline(db: Db, id: TimelineId): Promise<TimelineRecord | undefined> {
  const { rows } = await selectTimeline(id, sql``).execute(db)
  return rows[0]
}

/** Locks the row: no change of the schedule can be noted before the transaction ends. */
export async function lockTimeline(tx: Transaction, id: TimelineId): Promise<TimelineRecord | undefined> {
  const { rows } = await selectTimelineLocked(id).execute(tx)
  return rows[0]
}

/** For a transaction that reads more in one round trip. */
export const selectTimelineLocked = (id: TimelineId) =>
  selectTimeline(id, sql`for no key update of timelines`)

const selectTimeline = ({ accountId, channelId }: TimelineId, locking: RawBuilder<unknown>) =>
  sql<TimelineRecord>`
    select account_id as "accountId", linear_channel_id as "channelId", version, feed_version as "feedVersion",
           feed_epoch as "feedEpoch", e.epoch as "currentEpoch",
           ${isInLine} as "isInLine",
           case when skip_sequence is not null then
             jsonb_build_object('sequence', skip_sequence, 'discontinuity', skip_discontinuity) end as "skipTo",
           reach_ms as "plannedUntilMs", changed_ms as "changedMs", recorded_sequence as "recordedSequence",
           open_entry as "openEntry"
      from timelines, feed_epoch e
     where account_id = ${accountId} and linear_channel_id = ${channelId} ${locking}`

/** Of `timelines` and `feed_epoch e`. */
const isInLine = sql<boolean>`feed_epoch = e.epoch and coalesce(e.compared_identity = database_identity(), true)`

/** For a condition: a timeline is known to be what was published. */
export const isTimelineInLine = ({
  accountId,
  channelId,
}: {
  readonly accountId: string
  readonly channelId: string | RawBuilder<unknown>
}) => sql<boolean>`exists (
    select from timelines, feed_epoch e
     where account_id = ${accountId} and linear_channel_id = ${channelId} and ${isInLine})`

export async function updateTimeline(tx: Transaction, timeline: TimelineRecord): Promise<void> {
  await timelineRow(timeline).execute(tx)
}

/** For a statement that writes more than it. */
export const timelineRow = (timeline: TimelineRecord) => sql`
    update timelines
       set version = ${timeline.version}, feed_version = ${timeline.feedVersion},
           feed_epoch = ${timeline.feedEpoch}, skip_sequence = ${timeline.skipTo?.sequence ?? null},
           skip_discontinuity = ${timeline.skipTo?.discontinuity ?? null}, reach_ms = ${timeline.plannedUntilMs},
           changed_ms = ${timeline.changedMs}, recorded_sequence = ${timeline.recordedSequence},
           open_entry = ${timeline.openEntry === null ? null : JSON.stringify(timeline.openEntry)}::jsonb
     where account_id = ${timeline.accountId} and linear_channel_id = ${timeline.channelId}`

/**
 * The runs of a channel that are shown at a time or after it, and those before them that their discontinuity numbers
 * follow from. The last one is always included: the next run continues its numbers.
 */
export async function listRuns(db: Db, id: TimelineId, fromTicks: number): Promise<readonly StoredRun[]> {
  return (await selectRuns(id, fromTicks).execute(db)).rows
}

/** For a transaction that reads more in one round trip. */
export const selectRuns = ({ accountId, channelId }: TimelineId, fromTicks: number) => sql<StoredRun>`
    with shown as (
      select min(number) as first from runs
       where account_id = ${accountId} and linear_channel_id = ${channelId}
         and end_ticks > ${fromTicks} and end_sequence > first_sequence
    ), numbered as (
      select max(number) as first from runs, shown
       where account_id = ${accountId} and linear_channel_id = ${channelId}
         and discontinuity is not null and end_sequence > first_sequence
         and (shown.first is null or number <= shown.first)
    )
    select number, first_sequence as "firstSequence", start_ticks as "startTicks",
           end_sequence as "endSequence", end_ticks as "endTicks", discontinuity,
           is_start as "isStart", is_end as "isEnd", body as bytes, airings
      from runs, numbered
     where account_id = ${accountId} and linear_channel_id = ${channelId}
       and number >= coalesce(numbered.first, 0) and end_sequence > first_sequence
     order by number`

export const insertRuns = (
  { accountId, channelId }: TimelineId,
  runs: readonly StoredRun[],
  nowMs: number,
): readonly Statement[] =>
  runs.map(
    (run) => sql`
      insert into runs (account_id, linear_channel_id, number, first_sequence, start_ticks, end_sequence, end_ticks,
                        discontinuity, is_start, is_end, body, airings, created_ms)
      values (${accountId}, ${channelId}, ${run.number}, ${run.firstSequence}, ${run.startTicks},
              ${run.endSequence}, ${run.endTicks}, ${run.discontinuity}, ${run.isStart}, ${run.isEnd},
              ${Buffer.from(run.bytes)}, ${JSON.stringify(run.airings)}::jsonb, ${nowMs})`,
  )

/** Writes runs as they were published, whatever the database has under their numbers. */
export async function replaceRuns(
  tx: Transaction,
  id: TimelineId,
  runs: readonly StoredRun[],
  nowMs: number,
): Promise<void> {
  const { accountId, channelId } = id
  const numbers = runs.map(({ number }) => number)
  const deleted = sql`
    delete from runs
     where account_id = ${accountId} and linear_channel_id = ${channelId}
       and number = any(${numbers}::bigint[])`
  await executeTogether(tx, [deleted, ...insertRuns(id, runs, nowMs)])
}

/** New ends of runs that others have taken over from. */
export const updateEnds = (
  { accountId, channelId }: TimelineId,
  runs: readonly PackedRun[],
): readonly Statement[] =>
  runs.map(
    ({ number, endSequence, endTicks, isEnd }) => sql`
      update runs set end_sequence = ${endSequence}, end_ticks = ${endTicks}, is_end = ${isEnd}
       where account_id = ${accountId} and linear_channel_id = ${channelId} and number = ${number}`,
  )

/** The discontinuity numbers of runs that had none yet. */
export async function updateSettled(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  settled: readonly Settled[],
): Promise<void> {
  for (const { number, firstSequence, discontinuity } of settled) {
    await sql`
      update runs set discontinuity = ${discontinuity}
       where account_id = ${accountId} and linear_channel_id = ${channelId} and number = ${number}
         and first_sequence = ${firstSequence}`.execute(tx)
  }
}

/** Voids runs that a later one replaces: those that begin at or after a sequence number, between two run numbers. */
export const voidRuns = (
  { accountId, channelId }: TimelineId,
  fromSequence: number,
  beforeNumber: number,
  fromNumber = 0,
): Statement => sql`
    update runs set end_sequence = first_sequence, end_ticks = start_ticks, is_end = false
     where account_id = ${accountId} and linear_channel_id = ${channelId}
       and first_sequence >= ${fromSequence} and number >= ${fromNumber} and number < ${beforeNumber}
       and end_sequence > first_sequence`

export const packedOf = (version: number, runs: readonly StoredRun[]): PackedTimeline => ({
  version,
  runs: runs.map(({ airings: _airings, ...run }) => run),
})

/** Notes for the next plan that the schedule has changed from a time on. False where nothing is planned yet. */
export async function noteChange(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  fromMs: number,
): Promise<boolean> {
  const { rows } = await sql<{ readonly version: number }>`
    update timelines set changed_ms = least(changed_ms, ${fromMs})
     where account_id = ${accountId} and linear_channel_id = ${channelId}
    returning version`.execute(tx)
  return rows.some(({ version }) => version > 0)
}

/** Notes from when on rules are to be planned again. */
export async function noteRulesChange(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  fromMs: number,
): Promise<void> {
  await sql`
    update timelines set rules_from_ms = least(rules_from_ms, ${fromMs})
     where account_id = ${accountId} and linear_channel_id = ${channelId}`.execute(tx)
}

/** The earliest of those times since the last call of `clearRulesChange`; null for none. */
export async function findRulesChange(db: Db, { accountId, channelId }: TimelineId): Promise<number | null> {
  const { rows } = await sql<{ readonly fromMs: number | null }>`
    select rules_from_ms as "fromMs" from timelines
     where account_id = ${accountId} and linear_channel_id = ${channelId}`.execute(db)
  return rows[0]?.fromMs ?? null
}

export async function clearRulesChange(tx: Transaction, { accountId, channelId }: TimelineId): Promise<void> {
  await sql`
    update timelines set rules_from_ms = null
     where account_id = ${accountId} and linear_channel_id = ${channelId}`.execute(tx)
}

/** The version of a guide. */
export interface GuideVersion {
  readonly epoch: number
  readonly version: number
}

/** Undefined for a channel that was never started. */
export async function nextGuideVersion(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
): Promise<GuideVersion | undefined> {
  const { rows } = await sql<GuideVersion>`
    update timelines t set guide_version = guide_version + 1
      from feed_epoch e
     where t.account_id = ${accountId} and t.linear_channel_id = ${channelId} and t.feed_version > 0
    returning e.epoch, t.guide_version as version`.execute(tx)
  return rows[0]
}

/** A page of the channels of all accounts that have a timeline. */
export async function listTimelines(
  platform: Db,
  after: TimelineId | undefined,
  most: number,
): Promise<readonly TimelineId[]> {
  const first = '00000000-0000-0000-0000-000000000000'
  const { rows } = await sql<TimelineId>`
    select account_id as "accountId", linear_channel_id as "channelId"
      from list_timelines(${after?.accountId ?? first}::uuid, ${after?.channelId ?? first}::uuid, ${most})`.execute(
    platform,
  )
  return rows
}

/** Deletes old runs of all accounts, and returns how many. */
export async function purgeRunsBefore(platform: Db, ticks: number, most: number): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select forget_runs(${ticks}, ${most}) as count`.execute(platform)
  return rows[0]!.count
}
