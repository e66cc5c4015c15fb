import type { Transaction } from '../../platform/database/database.ts'
import { actorOf } from '../../platform/jobs/actor-of.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { takeDeadLetters } from '../../platform/jobs/dead-letters.ts'
import type { JobHandler } from '../../platform/jobs/job-handler.ts'
import { findAsset, GAVE_UP } from '../assets/index.ts'
import { findChannelLocked } from '../channels/index.ts'
import { alertFailed } from './failed-program-alert.ts'
import { changeRequestState } from './request-events.ts'
import { findRequest, lockRequest } from './request-store.ts'
import { restoreReplaced } from './restore-replaced.ts'
import { settleFailed } from './settle-asset.ts'

/** Letters of each group in one round: with two short statements each, far below the time limit of a due row. */
const LETTERS = 100

/**
 * Works off the dead letters of ingest, oldest first, and returns whether there may be more.
 *
 * An asset or request whose last worker crashed stays unfinished: nothing else updates its row. Each letter becomes a job
 * that fails it as its account, and is completed in the same transaction, so that a round that is rolled back has done
 * nothing. A fail job that used up its own attempts is a letter too, and gets another.
 */
export async function failDeadLetters(tx: Transaction): Promise<boolean> {
  const ofAssets = await takeDeadLetters(tx, ['package_asset', 'make_slate', 'fail_asset'], LETTERS)
  for (const { data, accountId, requestId } of ofAssets) {
    const id = String(data['asset_id'])
    await enqueue(tx, 'fail_asset', { asset_id: id }, { accountId, requestId, key: id })
  }
  const ofRequests = await takeDeadLetters(tx, ['process_request', 'fail_request'], LETTERS)
  for (const { data, accountId, requestId } of ofRequests) {
    const id = String(data['request_id'])
    await enqueue(tx, 'fail_request', { request_id: id }, { accountId, requestId, key: id })
  }
  return ofAssets.length === LETTERS || ofRequests.length === LETTERS
}

export const failAsset: JobHandler<{ readonly asset_id: string }> = async (run) => {
  const { accountId } = actorOf(run)
  const asset = await findAsset(run.db, accountId, run.data.asset_id)
  await run.finish(async (tx, nowMs) => {
    if (asset !== undefined) await settleFailed(tx, actorOf(run, nowMs), asset, GAVE_UP)
  })
}

/** Fails a request and frees its time slot, for the request that it replaced if that one has a program. */
export const failRequest: JobHandler<{ readonly request_id: string }> = async (run) => {
  const { accountId } = actorOf(run)
  await run.finish(async (tx, nowMs) => {
    const found = await findRequest(tx, accountId, run.data.request_id)
    if (found === undefined) return
    const actor = actorOf(run, nowMs)
    await findChannelLocked(tx, accountId, found.channelId)
    const request = await lockRequest(tx, accountId, found.requestId)
    if (request?.state !== 'QUEUED') return
    await changeRequestState(tx, actor, request, 'FAILED', REQUEST_GAVE_UP)
    await restoreReplaced(tx, actor, request)
    await alertFailed(tx, actor, request, REQUEST_GAVE_UP)
  })
}

const REQUEST_GAVE_UP = {
  code: 'request.gave_up',
  message: 'Processing failed at every attempt. Hand the program over again, or contact the operator.',
}
