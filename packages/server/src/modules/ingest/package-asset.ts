import { newId } from '../../platform/crypto/ids.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import {
  finalReasonOf,
  findAsset,
  isUnfinished,
  makeAsset,
  openScratch,
  type PackagerDeps,
  removeScratch,
  reportProgress,
  watchStore,
} from '../assets/index.ts'
import { recordItems } from './request-events.ts'
import { settleFailed, settleReady } from './settle-asset.ts'

/** Makes an asset, and settles the requests that wait for it. */
export function assetPackager(deps: PackagerDeps): JobHandler<{ readonly asset_id: string }> {
  return async (run) => {
    const { db, data } = run
    const { accountId } = actorOf(run)
    const asset = await findAsset(db, accountId, data.asset_id)
    if (asset === undefined) throw new Error(`asset ${data.asset_id} does not exist`)
    // Cancelled, or finished by a run whose completion was not recorded.
    if (!isUnfinished(asset)) return removeScratch(deps.scratchFolder, asset.assetId)
    const scratch = await openScratch(deps.scratchFolder, asset.assetId, `${run.attempt}-${newId(run.nowMs)}`)
    const actorAt = (nowMs: number) => actorOf(run, nowMs)
    await using progress = reportProgress(db, asset, {
      clock: deps.clock,
      onState: (tx, actor, state) => recordItems(tx, actor, asset, state, null),
      onFault: (error) => run.logger.warn({ err: error }, 'asset progress could not be recorded'),
    })
    try {
      const watched = { scratch: deps.scratchName, actorAt, clock: deps.clock }
      const made = await watchStore(run, watched, () => makeAsset(deps, run, asset, scratch, progress))
      await run.finish((tx, nowMs) => settleReady(tx, actorAt(nowMs), asset, made))
    } catch (error) {
      if (progress.unwanted.aborted) return scratch.remove()
      const reason = finalReasonOf(error, run)
      if (reason === undefined) throw error
      run.logger.warn({ err: error, code: reason.code }, 'asset failed permanently')
      await run.finish((tx, nowMs) => settleFailed(tx, actorAt(nowMs), asset, reason))
    }
    await scratch.remove()
  }
}
