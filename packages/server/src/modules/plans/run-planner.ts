import { type Actor, platformActor } from '../../platform/actor.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { clearDue, setDue } from '../../platform/due/due-rows.ts'
import type { JobRun } from '../../platform/jobs/job-handler.ts'
import { type Channel, findChannel, requireChannelLocked } from '../channels/index.ts'
import { recordEvent } from '../events/index.ts'
import {
  clearRulesChange,
  findRulesChange,
  type RuleChanges,
  replaceRulePrograms,
  type TimelineId,
} from '../schedule/index.ts'
import { watchPlan } from './plan-alert.ts'
import { DAY_MS, isChannelOffAir, type PlannedAround, readPlannedAround } from './plan-input.ts'
import { type ChannelPlan, findPlan, rulesOf, storePlanned } from './plan-store.ts'
import type { Planner, PlanRequest } from './planner.ts'
import { toRulePrograms } from './rule-programs.ts'

/** How often the horizon is extended. */
const EXTEND_EVERY_MS = 6 * 3_600_000

/** Programs of a week stay as they are in guides; new videos join after that, once a day. */
export const STABLE_MS = 7 * DAY_MS
const REFRESH_EVERY_MS = 20 * 3_600_000

/** The schedule has changed while the plan was made, or a video was deleted. */
const AGAIN_MS = 2_000

/** Where nothing could be planned: new videos are looked for this often. */
const EMPTY_AGAIN_MS = 300_000

/** Of those that the last plan gave; an answer has no more. */
const WARNINGS_MAXIMUM = 200

/** Plans the programs of a channel up to its horizon, and again where its rules, its schedule or its videos changed. */
export const runPlanner =
  (planner: Planner) =>
  async ({
    data: { linear_channel_id: channelId },
    accountId,
    db,
    nowMs,
    finish,
  }: Pick<
    JobRun<{ readonly linear_channel_id: string }>,
    'data' | 'accountId' | 'db' | 'nowMs' | 'finish'
  >): Promise<void> => {
    const id: TimelineId = { accountId: accountId!, channelId }
    const found = await findChannel(db, id.accountId, channelId)
    const plan = found && (await findPlan(db, id))
    if (plan === undefined) {
      await finish((tx) => clearDue(tx, { kind: 'plan_rules', subjectId: channelId }))
      return
    }
    const input = await readRequest(db, found!, plan, nowMs)
    const { isFresh } = input
    const planning = planner.plan(db, id.accountId, input.request, { isFresh })
    const { from_ms: fromMs, programs, ...result } = await planning
    const isEmpty = programs.length === 0 && !hasPrograms(input.around, nowMs, fromMs)
    await finish(async (tx, finishMs) => {
      const channel = await requireChannelLocked(tx, id.accountId, channelId)
      const actor = platformActor(id.accountId, finishMs)
      const again = (dueMs: number) =>
        setDue(tx, { kind: 'plan_rules', subjectId: channelId, accountId: id.accountId, dueMs })
      const present = await findPlan(tx, id)
      const isSame = present?.version === plan.version && (await findRulesChange(tx, id)) === input.noted
      if (present === undefined) return
      const { isOffAir, taken } = input.around
      // Put on the air meanwhile, it would lose what begins within a minute, and that may be a film of hours.
      const wasStarted = isOffAir && !isChannelOffAir(channel, finishMs)
      if (!isSame || wasStarted) return again(finishMs + AGAIN_MS)
      const { planned, lost } = await toRulePrograms(tx, id.accountId, programs, finishMs)
      const changes = await replaceRulePrograms(tx, actor, id, fromMs, planned, { taken, isOffAir })
      await clearRulesChange(tx, id)
      await storePlanned(tx, id, {
        state: result.state,
        stateMs: result.state_ms,
        warnings: result.warnings.slice(0, WARNINGS_MAXIMUM),
        plannedUntilMs: input.request.to_ms,
        plannedMs: finishMs,
        refreshedMs: input.isRefresh ? finishMs : plan.refreshedMs,
      })
      await recordPlanned(tx, actor, channel, changes, { fromMs, untilMs: input.request.to_ms })
      await watchPlan(tx, actor, channel, result.warnings, input.request.rules)
      await again(finishMs + (lost > 0 ? AGAIN_MS : isEmpty ? EMPTY_AGAIN_MS : EXTEND_EVERY_MS))
    })
  }

interface PlanningInput {
  readonly request: PlanRequest
  readonly around: PlannedAround
  /** The earliest change of other programs, as it was noted before the schedule was read. */
  readonly noted: number | null
  readonly isRefresh: boolean
  /** Whether the catalog has to be as it is now: rules often change because a video is new. */
  readonly isFresh: boolean
}

const hasPrograms = ({ known }: PlannedAround, fromMs: number, toMs: number): boolean =>
  known.some(({ start_ms, end_ms }) => end_ms > fromMs && start_ms < toMs)

async function readRequest(
  db: Db,
  channel: Channel,
  plan: ChannelPlan,
  nowMs: number,
): Promise<PlanningInput> {
  const rules = rulesOf(plan)
  const noted = await findRulesChange(db, plan)
  const toMs = horizonOf(rules.horizon_days, nowMs)
  const around = await readPlannedAround(db, channel, plan, toMs, nowMs)
  const isRefresh = nowMs - plan.refreshedMs > REFRESH_EVERY_MS
  // New rules may begin later.
  const isEmpty = plan.replanFromMs === null && !hasPrograms(around, nowMs, Infinity)
  const fromMs = Math.min(
    plan.plannedUntilMs ?? plan.replanFromMs ?? around.replaceableMs,
    plan.replanFromMs ?? Infinity,
    noted ?? Infinity,
    isRefresh ? nowMs + STABLE_MS : Infinity,
    isEmpty ? nowMs : Infinity,
  )
  const request = {
    rules,
    seed: plan.seed,
    state: plan.state,
    state_ms: plan.stateMs,
    known: around.known,
    fixed: around.fixed,
    replaceable_ms: around.replaceableMs,
    from_ms: fromMs,
    to_ms: Math.max(toMs, around.replaceableMs),
  }
  const isFresh = isEmpty || plan.replanFromMs !== null || noted !== null
  return { request, around, noted, isRefresh, isFresh }
}

/** Whole hours, so that it does not change with every plan. */
export const horizonOf = (days: number, nowMs: number): number =>
  Math.ceil((nowMs + days * DAY_MS) / 3_600_000) * 3_600_000

async function recordPlanned(
  tx: Transaction,
  actor: Actor,
  { channelId, title }: { readonly channelId: string; readonly title: string },
  { placed, removedIds }: RuleChanges,
  { fromMs, untilMs }: { readonly fromMs: number; readonly untilMs: number },
): Promise<void> {
  if (placed.length === 0 && removedIds.length === 0) return
  await recordEvent(tx, actor, {
    kind: 'plan.applied',
    subjectId: channelId,
    data: {
      linear_channel_id: channelId,
      title,
      from: new Date(fromMs).toISOString(),
      planned_until: new Date(untilMs).toISOString(),
      programs_placed: placed.length,
      programs_removed: removedIds.length,
    },
  })
}
