import type { Transaction } from '../../platform/database/database.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { listDeadLetters } from '../../platform/jobs/dead-letters.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { findAsset } from './asset-store.ts'
import { endFailed } from './end-asset.ts'
import { GAVE_UP } from './final-reason.ts'
import { lockRequest, setRequestState } from './request-store.ts'

/** The latest that are looked at; more do not die in a minute. */
const LETTERS = 200

/**
 * What the last worker of died without a word is being made for ever, as far as
 * its row tells. Its job is among the dead letters: from there each is failed by
 * a job of its account. Those that have ended long ago are no trouble.
 */
export async function findDeadAssets(tx: Transaction): Promise<void> {
  for (const { data, accountId, requestId } of await listDeadLetters(tx, LETTERS, 'package_asset')) {
    const id = String(data['asset_id'])
    await enqueue(tx, 'fail_asset', { asset_id: id }, { accountId, requestId, key: id })
  }
  for (const { data, accountId, requestId } of await listDeadLetters(tx, LETTERS, 'process_request')) {
    const id = String(data['request_id'])
    await enqueue(tx, 'fail_request', { request_id: id }, { accountId, requestId, key: id })
  }
}

export const failAsset: JobHandler<{ readonly asset_id: string }> = async (run) => {
  const { accountId } = actorOf(run)
  const asset = await findAsset(run.db, accountId, run.data.asset_id)
  await run.finish(async (tx, nowMs) => {
    if (asset !== undefined) await endFailed(tx, actorOf(run, nowMs), asset, GAVE_UP)
  })
}

/** It gives its place on the channel back. */
export const failRequest: JobHandler<{ readonly request_id: string }> = async (run) => {
  const { accountId } = actorOf(run)
  await run.finish(async (tx, nowMs) => {
    const request = await lockRequest(tx, accountId, run.data.request_id)
    if (request?.state === 'QUEUED') await setRequestState(tx, request, 'FAILED', REQUEST_GAVE_UP, nowMs)
  })
}

const REQUEST_GAVE_UP = {
  code: 'request.gave_up',
  message: 'It could not be processed, at several tries. Hand the program over again, or ask the operator.',
}
