import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { lockFormat } from '../accounts/index.ts'
import { countUnfinished, insertAsset, lockAssetFor, slateKindOf } from './asset-store.ts'

export interface AssetFile {
  readonly videoId: string
  readonly madeFrom: string
  readonly imageUrl: string | null
}

/** The asset of a video's file: the existing one, or a new one with the job that makes it. */
export async function requireAsset(tx: Transaction, actor: Actor, file: AssetFile): Promise<string> {
  const { accountId, nowMs } = actor
  // Locked here too, so that the second of two concurrent calls finds the asset of the first.
  await lockFormat(tx, accountId, nowMs)
  const known = await lockAssetFor(tx, accountId, file.videoId, file.madeFrom)
  return known?.assetId ?? createAsset(tx, actor, file)
}

/** A new asset, with the job that makes it. */
export async function createAsset(tx: Transaction, actor: Actor, file: AssetFile): Promise<string> {
  const { accountId, nowMs } = actor
  // From the first asset on, frame rate and segment length stay: all media of an account is alike.
  const format = await lockFormat(tx, accountId, nowMs)
  const assetId = newId(nowMs)
  // The priority falls with the account's own backlog, so that a thousand files of one do not delay the first of another.
  const waiting = await countUnfinished(tx, accountId)
  await insertAsset(tx, { ...file, ...format, accountId, assetId }, nowMs)
  await enqueue(
    tx,
    slateKindOf(file) === undefined ? 'package_asset' : 'make_slate',
    { asset_id: assetId },
    { accountId, requestId: actor.requestId ?? undefined, priority: -waiting },
  )
  return assetId
}
