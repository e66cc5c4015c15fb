import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Database, Db } from '../../platform/database/database.ts'
import { requireChannel } from '../channels/index.ts'
import { findRulesChange } from '../schedule/index.ts'
import { PlanNotFound } from './errors.ts'
import { type ChannelPlan, findPlan, rulesOf } from './plan-store.ts'
import type { Planner } from './planner.ts'
import { previewPlan } from './preview-plan.ts'
import { deletePlan, putPlan, requireRules } from './put-plan.ts'
import { readPreviewRange, toWirePlan, toWirePreview } from './wire.ts'

export interface PlanDeps {
  readonly database: Database
  /** Computes previews. */
  readonly planner: Planner
}

/** Endpoint to use case. */
export function planRoutes({ database, planner }: PlanDeps) {
  const { reading, changing } = recordHandlers(database)
  const toAnswer = async (db: Db, plan: ChannelPlan) =>
    answered(toWirePlan(plan, await findRulesChange(db, plan)), { etag: recordEtag(plan.version) })
  return {
    getPlan: reading(async (db, { principal, params }) => {
      const channel = await requireChannel(db, principal.accountId, params.linear_channel_id)
      const plan = await findPlan(db, channel)
      if (plan === undefined) throw PlanNotFound()
      return toAnswer(db, plan)
    }),
    putPlan: changing(async (tx, call, actor) => {
      const { linear_channel_id: channelId } = call.params
      const fromMs = call.query.from === undefined ? actor.nowMs : Date.parse(call.query.from)
      return toAnswer(tx, await putPlan(tx, actor, channelId, call.body, fromMs, requireSeen(call)))
    }),
    deletePlan: changing(async (tx, call, actor) => {
      await deletePlan(tx, actor, call.params.linear_channel_id, requireSeen(call))
    }),
    previewPlan: reading(async (db, { principal: { accountId }, params, body, nowMs }) => {
      const channel = await requireChannel(db, accountId, params.linear_channel_id)
      const range = readPreviewRange(body, nowMs)
      const stored = await findPlan(db, channel)
      if (body.rules === undefined && stored === undefined) throw PlanNotFound()
      const rules =
        body.rules === undefined ? rulesOf(stored!) : await requireRules(db, accountId, body.rules, '/rules')
      return toWirePreview(await previewPlan(db, planner, channel, stored, rules, range, nowMs), range)
    }),
  } satisfies Handlers
}
