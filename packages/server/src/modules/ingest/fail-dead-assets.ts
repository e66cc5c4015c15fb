import type { Transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { listDeadLetters } from '../../platform/jobs/dead-letters.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { findAsset } from './asset-store.ts'
import { endFailed } from './end-asset.ts'
import { GAVE_UP } from './final-reason.ts'

/** The latest that are looked at; more do not die in a minute. */
const LETTERS = 200

/**
 * An asset whose last worker died without a word is being made for ever, as far
 * as its row tells. Its job is among the dead letters: from there each is failed
 * by a job of its account. Those that have ended long ago are no trouble.
 */
export async function findDeadAssets(tx: Transaction): Promise<void> {
  for (const { name, data, accountId, requestId } of await listDeadLetters(tx, LETTERS)) {
    const assetId = data['asset_id']
    if (name !== 'package_asset' || typeof assetId !== 'string') continue
    await enqueue(tx, 'fail_asset', { asset_id: assetId }, { accountId, requestId, key: assetId })
  }
}

export const failAsset: JobHandler<{ readonly asset_id: string }> = async (run) => {
  const { db, accountId, data } = run
  if (accountId === undefined) throw new Error('an asset belongs to an account')
  const asset = await findAsset(db, accountId, data.asset_id)
  await run.finish(async (tx, nowMs) => {
    const actor = { accountId, userId: null, requestId: run.requestId ?? null, nowMs }
    if (asset !== undefined) await endFailed(tx, actor, asset, GAVE_UP)
  })
}
