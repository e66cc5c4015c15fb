import type { PlanRules } from '@continuity/core/rules/plan-rules'
import type { Fault } from '@continuity/core/rules/read-fields'
import { readPlanRules } from '@continuity/core/rules/read-plan-rules'
import type { Actor } from '../../platform/actor.ts'
import type { Db, Transaction } from '../../platform/database/database.ts'
import { clearDue, setDue } from '../../platform/due/due-rows.ts'
import { recordAudit } from '../audit/index.ts'
import { listPresentPlaylists, listSeriesTitles } from '../catalog/read.ts'
import { requireChannelLocked } from '../channels/index.ts'
import { replaceRulePrograms } from '../schedule/index.ts'
import { PlanInvalid, PlanNotFound } from './errors.ts'
import { closePlanAlert } from './plan-alert.ts'
import { isChannelOffAir } from './plan-input.ts'
import { type ChannelPlan, findPlan, removePlan, seedOf, storeRules } from './plan-store.ts'

/** Gets the locked plan before a change. */
export type Check = (plan: ChannelPlan) => void

/** Sets the rules of a channel. A worker plans by them, from a time on, within seconds. */
export async function putPlan(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  document: unknown,
  fromMs: number,
  check: Check,
): Promise<ChannelPlan> {
  const { accountId, nowMs, userId } = actor
  const channel = await requireChannelLocked(tx, accountId, channelId)
  await requireRules(tx, accountId, document)
  const before = await findPlan(tx, channel)
  if (before !== undefined) check(before)
  const seed = before?.seed ?? seedOf(channel.channelId)
  const after = await storeRules(tx, channel, document, { seed, fromMs, nowMs, userId })
  await setDue(tx, { kind: 'plan_rules', subjectId: channel.channelId, accountId, dueMs: nowMs })
  await audit(tx, actor, channel.channelId, 'plan.change', before, after)
  return after
}

/** Removes the rules of a channel, and all that they planned and that is not committed. */
export async function deletePlan(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  check: Check,
): Promise<void> {
  const channel = await requireChannelLocked(tx, actor.accountId, channelId)
  const plan = await findPlan(tx, channel)
  if (plan === undefined) throw PlanNotFound()
  check(plan)
  const isOffAir = isChannelOffAir(channel, actor.nowMs)
  await replaceRulePrograms(tx, actor, channel, 0, [], { isOffAir })
  await removePlan(tx, channel)
  await clearDue(tx, { kind: 'plan_rules', subjectId: channel.channelId })
  await closePlanAlert(tx, actor, channel)
  await audit(tx, actor, channel.channelId, 'plan.delete', plan, undefined)
}

/** Throws 422 with all that is wrong in a document. `under` is where it is in the body. */
export async function requireRules(
  db: Db,
  accountId: string,
  document: unknown,
  under = '',
): Promise<PlanRules> {
  const result = readPlanRules(document)
  if (result.kind === 'rejected') throw PlanInvalid(result.faults, under)
  const unknown = await findUnknown(db, accountId, result.rules)
  if (unknown.length > 0) throw PlanInvalid(unknown, under)
  return result.rules
}

/** Series and playlists that the account does not have. */
async function findUnknown(db: Db, accountId: string, rules: PlanRules): Promise<readonly Fault[]> {
  const { blocks, default: rest } = rules
  const fillings = [
    ...blocks.map((block, at) => ({ ...block, pointer: `/blocks/${at}` })),
    ...(rest === null ? [] : [{ ...rest, pointer: '/default' }]),
  ]
  const series = fillings.flatMap(({ content, pointer }) =>
    'series_ids' in content
      ? content.series_ids.map((id, at) => ({ id, pointer: `${pointer}/content/series_ids/${at}` }))
      : [],
  )
  const playlists = [
    ...fillings.flatMap(({ content, pointer }) =>
      'playlist_id' in content
        ? [{ id: content.playlist_id, pointer: `${pointer}/content/playlist_id` }]
        : [],
    ),
    ...[
      { policy: rules.breaks, pointer: '' },
      ...blocks.map((it, at) => ({ policy: it.breaks, pointer: `/blocks/${at}` })),
    ].flatMap(({ policy, pointer }) =>
      (['before_playlist_id', 'after_playlist_id'] as const).flatMap((field) =>
        policy[field] === null ? [] : [{ id: policy[field], pointer: `${pointer}/breaks/${field}` }],
      ),
    ),
  ]
  const known = new Set(
    series.length === 0 ? [] : (await listSeriesTitles(db, accountId)).map((it) => it.series_id),
  )
  const faults = series
    .filter(({ id }) => !known.has(id))
    .map(({ pointer }) => ({ pointer, message: 'names a series that does not exist' }))
  const present = await listPresentPlaylists(
    db,
    accountId,
    playlists.map(({ id }) => id),
  )
  return [
    ...faults,
    ...playlists
      .filter(({ id }) => !present.has(id))
      .map(({ pointer }) => ({ pointer, message: 'names a playlist that does not exist' })),
  ]
}

async function audit(
  tx: Transaction,
  actor: Actor,
  channelId: string,
  action: string,
  before: ChannelPlan | undefined,
  after: ChannelPlan | undefined,
): Promise<void> {
  const entry = (plan: ChannelPlan | undefined) => (plan === undefined ? null : { rules: plan.document })
  await recordAudit(tx, actor, {
    action,
    subjectType: 'linear_channel',
    subjectId: channelId,
    before: entry(before),
    after: entry(after),
  })
}
