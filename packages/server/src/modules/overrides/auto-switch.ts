import type { Actor } from '../../platform/actor.ts'
import { runTransaction, type Transaction } from '../../platform/database/database.ts'
import { AppError } from '../../platform/errors.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { findChannel } from '../channels/index.ts'
import { type LiveSource, lockActiveSource, requireSource } from '../live/index.ts'
import { overrideChannel, publishUpdates, returnChannel, type ScheduleDeps } from '../schedule/index.ts'

export type AutoSwitchJob = { readonly live_source_id: string; readonly signal: 'on' | 'off' }

/**
 * Cuts the channels of a source to it when its signal appears, and returns those that show it when the signal is lost. It
 * acts only on a change of the signal, so that what an operator does in between stays.
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
          ? cutTo(tx, deps, actor, channelId, source)
          : returnFrom(tx, deps, actor, channelId, sourceId)
      try {
        await runTransaction(db, cut)
        await publishUpdates(db, deps, { accountId, channelId })
      } catch (error) {
        // A channel that is not on air, or a source that was lost again, is no fault.
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
  { sourceId, name: title }: Pick<LiveSource, 'sourceId' | 'name'>,
): Promise<void> {
  const channel = await findChannel(tx, actor.accountId, channelId)
  // The job is retried after a fault.
  if (channel?.overrideSourceId === sourceId) return
  const lock = lockActiveSource(tx, actor.accountId, sourceId)
  const show = { sourceId, title, description: '', lock }
  await overrideChannel(tx, deps, actor, channelId, show, bySignal(sourceId))
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
  await returnChannel(tx, deps, actor, channelId, bySignal(sourceId))
}

const bySignal = (sourceId: string) => ({ live_source_id: sourceId, by: 'signal' })
