import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { isUnfinished, lockAsset, markEnded } from '../assets/index.ts'
import { isAssetScheduled } from '../schedule/index.ts'
import { listRequestsOfAsset, listUnfinishedAssets } from './item-store.ts'
import { recordItems } from './request-events.ts'

/** Cancels assets that only a replaced or cancelled request waited for. */
export async function cancelUnwanted(tx: Transaction, actor: Actor, requestId: string): Promise<void> {
  const { accountId, nowMs } = actor
  for (const assetId of await listUnfinishedAssets(tx, { accountId, requestId })) {
    const asset = await lockAsset(tx, accountId, assetId)
    if (asset === undefined || !isUnfinished(asset)) continue
    // Read under the lock: another request may have begun to wait for it.
    const waiting = await listRequestsOfAsset(tx, accountId, assetId)
    // The program of a request that was replaced airs after all where its successor fails.
    const isScheduled = await isAssetScheduled(tx, accountId, assetId, nowMs)
    if (waiting.length > 0 || isScheduled) continue
    await markEnded(tx, asset, 'CANCELLED', null, nowMs)
    await recordItems(tx, actor, asset, 'CANCELLED', null, requestId)
  }
}
