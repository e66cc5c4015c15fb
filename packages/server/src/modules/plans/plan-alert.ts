import type { PlanWarning } from '@continuity/core/rules/plan-input'
import { DEFAULT_RULE, type PlanRules } from '@continuity/core/rules/plan-rules'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'

/**
 * Opens an alert while the rules of a channel leave time for fill because they find nothing to play, and closes it when
 * they do not. Time that a block leaves to the default is no fill unless the default finds nothing either.
 */
export async function watchPlan(
  tx: Transaction,
  actor: Actor,
  { channelId }: { readonly channelId: string },
  warnings: readonly PlanWarning[],
  rules: PlanRules,
): Promise<void> {
  const isLast = (rule: string) =>
    rule === DEFAULT_RULE ||
    rules.default === null ||
    rules.blocks.some(({ id, rest }) => id === rule && rest === 'FILL')
  const empty = warnings.filter(({ code, rule }) => code === 'nothing_to_play' && isLast(rule))
  const [first] = empty
  if (first === undefined) return closePlanAlert(tx, actor, { channelId })
  const names = [...new Set(empty.map(({ rule }) => rule))].slice(0, 5).join(', ')
  const message = `The rules find nothing to play from ${new Date(first.at_ms).toISOString()} on (${names}). That time is filled. Add videos, or change the rules.`
  await openAlert(tx, actor, { ...subjectOf(channelId), severity: 'WARNING', message })
}

export const closePlanAlert = (
  tx: Transaction,
  actor: Actor,
  { channelId }: { readonly channelId: string },
): Promise<void> => closeAlert(tx, actor, subjectOf(channelId))

const subjectOf = (subjectId: string) => ({
  code: 'plan.nothing_to_play' as const,
  subjectType: 'linear_channel',
  subjectId,
})
