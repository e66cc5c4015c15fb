import { emptyPlanState, type PlanState, type PlanWarning } from '@continuity/core/rules/plan-input'
import type { PlanRules } from '@continuity/core/rules/plan-rules'
import { readPlanRules } from '@continuity/core/rules/read-plan-rules'
import { sql } from 'kysely'
import type { Db, Transaction } from '../../platform/database/database.ts'
import type { TimelineId } from '../schedule/index.ts'

/** The rules of a channel, and how far they are planned. */
export interface ChannelPlan extends TimelineId {
  /** As it was submitted. */
  readonly document: unknown
  readonly version: number
  readonly seed: number
  /** After all programs of rules that start before `stateMs`. */
  readonly state: PlanState
  readonly stateMs: number
  /** From when on everything is planned again; null for nothing. */
  readonly replanFromMs: number | null
  readonly plannedUntilMs: number | null
  readonly plannedMs: number | null
  /** When programs of more than a week ahead were last planned again. */
  readonly refreshedMs: number
  readonly warnings: readonly PlanWarning[]
  readonly changedMs: number
}

const columns = sql`account_id as "accountId", linear_channel_id as "channelId", rules as document, version, seed, state,
  state_ms as "stateMs", replan_from_ms as "replanFromMs", planned_until_ms as "plannedUntilMs",
  planned_ms as "plannedMs", refreshed_ms as "refreshedMs", warnings, changed_ms as "changedMs"`

export async function findPlan(
  db: Db,
  { accountId, channelId }: TimelineId,
): Promise<ChannelPlan | undefined> {
  const { rows } = await sql<ChannelPlan>`
    select ${columns} from channel_plans
     where account_id = ${accountId} and linear_channel_id = ${channelId}`.execute(db)
  return rows[0]
}

/** A preview shows what the channel would plan, so the seed is known before there is a plan. */
export const seedOf = (channelId: string): number => Number.parseInt(channelId.slice(-7), 16)

/** The rules of a stored document, with all defaults. */
export function rulesOf({ document }: Pick<ChannelPlan, 'document'>): PlanRules {
  const result = readPlanRules(document)
  if (result.kind === 'rejected') throw new Error(`stored rules are invalid: ${result.faults[0]?.message}`)
  return result.rules
}

/** Stores new rules; the state of the planner is kept. The channel is locked. */
export async function storeRules(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  document: unknown,
  change: {
    readonly seed: number
    readonly fromMs: number
    readonly nowMs: number
    readonly userId: string | null
  },
): Promise<ChannelPlan> {
  const { seed, fromMs, nowMs, userId } = change
  const { rows } = await sql<ChannelPlan>`
    insert into channel_plans as p (account_id, linear_channel_id, rules, version, seed, state, state_ms,
                                    replan_from_ms, created_ms, changed_ms, changed_user_id)
    values (${accountId}, ${channelId}, ${JSON.stringify(document)}::jsonb, 1, ${seed},
            ${JSON.stringify(emptyPlanState)}::jsonb, ${nowMs}, ${fromMs}, ${nowMs}, ${nowMs}, ${userId ?? ''})
    on conflict (account_id, linear_channel_id) do update
       set rules = excluded.rules, version = p.version + 1,
           replan_from_ms = least(p.replan_from_ms, excluded.replan_from_ms),
           changed_ms = excluded.changed_ms, changed_user_id = excluded.changed_user_id
    returning ${columns}`.execute(tx)
  return rows[0]!
}

/** Stores what a run of the planner leaves for the next. */
export async function storePlanned(
  tx: Transaction,
  { accountId, channelId }: TimelineId,
  planned: Pick<ChannelPlan, 'state' | 'stateMs' | 'warnings' | 'refreshedMs'> & {
    readonly plannedUntilMs: number
    readonly plannedMs: number
  },
): Promise<void> {
  await sql`
    update channel_plans
       set state = ${JSON.stringify(planned.state)}::jsonb, state_ms = ${planned.stateMs}, replan_from_ms = null,
           planned_until_ms = ${planned.plannedUntilMs}, planned_ms = ${planned.plannedMs},
           refreshed_ms = ${planned.refreshedMs}, warnings = ${JSON.stringify(planned.warnings)}::jsonb
     where account_id = ${accountId} and linear_channel_id = ${channelId}`.execute(tx)
}

export async function removePlan(tx: Transaction, { accountId, channelId }: TimelineId): Promise<void> {
  await sql`
    delete from channel_plans
     where account_id = ${accountId} and linear_channel_id = ${channelId}`.execute(tx)
}
