import type { PlanWarning } from '@continuity/core/rules/plan-input'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'

/** Opens an alert while the rules of a channel find nothing to play at some time, and closes it when they do. */
export async function watchPlan(
  tx: Transaction,
  actor: Actor,
  { channelId }: { readonly channelId: string },
  warnings: readonly PlanWarning[],
): Promise<void> {
  const empty = warnings.filter(({ code }) => code === 'nothing_to_play')
  const [first] = empty
  if (first === undefined) return closePlanAlert(tx, actor, { channelId })
  const rules = [...new Set(empty.map(({ rule }) => rule))].slice(0, 5).join(', ')
  const message = `The rules find nothing to play from ${new Date(first.at_ms).toISOString()} on (${rules}). That time is filled. Add videos, or change the rules.`
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
