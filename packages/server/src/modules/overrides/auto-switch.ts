import type { Actor } from '../../platform/actor.ts'
import { runTransaction, type Transaction } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { recordAudit } from '../audit/index.ts'
import { findChannel } from '../channels/index.ts'
import { requireActiveSource, requireSource } from '../live/index.ts'
import {
  type Cut,
  overrideChannel,
  publishSteps,
  returnChannel,
  type ScheduleDeps,
} from '../schedule/index.ts'

export type AutoSwitchJob = { readonly live_source_id: string; readonly signal: 'on' | 'off' }

/**
 * Cuts the channels of a source to it when its signal appears, and returns those that show it when the signal has gone. It
 * acts on the change alone, so that what an operator does in between stays.
 */
export function autoSwitch(deps: ScheduleDeps): JobHandler<AutoSwitchJob> {
  return async (run) => {
    const { accountId } = actorOf(run)
    const { live_source_id: sourceId, signal } = run.data
    const db = deps.database.forAccount(accountId)
    const source = await requireSource(db, accountId, sourceId).catch(() => undefined)
    if (source === undefined || !source.enableAutoLiveSwitchOnSignal) return
    for (const channelId of source.autoSwitchChannelIds) {
      run.signal.throwIfAborted()
      const actor = actorOf(run, deps.clock())
      const cut = (tx: Transaction) =>
        signal === 'on'
          ? cutTo(tx, deps, actor, channelId, sourceId)
          : returnFrom(tx, deps, actor, channelId, sourceId)
      try {
        await runTransaction(db, cut)
        await publishSteps(db, deps, { accountId, channelId })
      } catch (error) {
        // A channel that is not on air, or a source that has gone again, is no fault.
        if (!(error instanceof AppError) || error.kind.status >= 500) throw error
        run.logger.info(
          { channel_id: channelId, source_id: sourceId, code: error.kind.code },
          'auto switch skipped',
        )
      }
    }
  }
}

async function cutTo(
  tx: Transaction,
  deps: ScheduleDeps,
  actor: Actor,
  channelId: string,
  sourceId: string,
): Promise<void> {
  const { name: title } = await requireActiveSource(tx, actor.accountId, sourceId, 'locked')
  const channel = await findChannel(tx, actor.accountId, channelId)
  // The job is tried again after a fault.
  if (channel?.overrideSourceId === sourceId) return
  const cut = await overrideChannel(tx, deps, actor, channelId, { sourceId, title, description: '' })
  await record(tx, actor, cut, 'override', sourceId)
}

async function returnFrom(
  tx: Transaction,
  deps: ScheduleDeps,
  actor: Actor,
  channelId: string,
  sourceId: string,
): Promise<void> {
  const channel = await findChannel(tx, actor.accountId, channelId)
  if (channel?.overrideSourceId !== sourceId) return
  await record(tx, actor, await returnChannel(tx, deps, actor, channelId), 'return', sourceId)
}

const record = (
  tx: Transaction,
  actor: Actor,
  { channel, onAirMs }: Cut,
  what: 'override' | 'return',
  sourceId: string,
): Promise<void> =>
  recordAudit(tx, actor, {
    action: `channel.${what}`,
    subjectType: 'linear_channel',
    subjectId: channel.channelId,
    before: null,
    after: { live_source_id: sourceId, on_air: new Date(onAirMs).toISOString(), by: 'signal' },
  })
