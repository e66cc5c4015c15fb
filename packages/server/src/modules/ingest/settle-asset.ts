import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import {
  type Asset,
  type AssetEnd,
  endFailed,
  endReady,
  type MadeAsset,
  type Reason,
} from '../assets/index.ts'
import { noteItemEnded, noteSlateReady, replaceAssets } from '../schedule/index.ts'
import { recordItems } from './request-events.ts'
import { settleRequestsOf } from './settle-request.ts'

/** Ends an asset as READY, and updates what waits for it. */
export const settleReady = async (
  tx: Transaction,
  actor: Actor,
  asset: Asset,
  made: MadeAsset,
): Promise<void> => settle(tx, actor, asset, await endReady(tx, actor, asset, made))

/** Ends an asset as FAILED, and updates what waits for it. */
export const settleFailed = async (
  tx: Transaction,
  actor: Actor,
  asset: Asset,
  reason: Reason,
): Promise<void> => settle(tx, actor, asset, await endFailed(tx, actor, asset, reason))

/** Items, requests, and channels that wait for a slate. */
async function settle(tx: Transaction, actor: Actor, asset: Asset, end: AssetEnd | undefined): Promise<void> {
  if (end === undefined) return
  await recordItems(tx, actor, asset, end.state, end.reason)
  await settleRequestsOf(tx, actor, asset.assetId)
  if (end.state !== 'READY') return
  await showNewPackage(tx, actor, asset, end.former)
  await noteSlateReady(tx, actor, asset.videoId)
}

/** Programs that have the former package of a file continue with the new one after what is committed. */
async function showNewPackage(
  tx: Transaction,
  actor: Actor,
  { accountId, assetId }: Asset,
  former: readonly string[],
): Promise<void> {
  for (const { programId } of await replaceAssets(tx, accountId, former, assetId, actor.nowMs))
    await noteItemEnded(tx, actor, programId)
}
