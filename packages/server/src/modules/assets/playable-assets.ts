import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { listBestAssets } from './asset-store.ts'
import { requireAsset } from './create-asset.ts'

/**
 * The assets that programs show of videos, by video. One that is not READY is locked, so that it cannot be cancelled before
 * the transaction ends; a cancelled one is made again. A video whose file failed, or that never had one, is not in it.
 */
export async function requirePlayable(
  tx: Transaction,
  actor: Actor,
  videoIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const playable = new Map<string, string>()
  for (const { videoId, assetId, state, madeFrom, imageUrl } of await listBestAssets(
    tx,
    actor.accountId,
    videoIds,
  ))
    playable.set(
      videoId,
      state === 'READY' ? assetId : await requireAsset(tx, actor, { videoId, madeFrom, imageUrl }),
    )
  return playable
}
