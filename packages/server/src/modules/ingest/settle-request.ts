import { outcomeOf } from '@continuity/core/ingest/request-outcome'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { hasFill } from '../channels/index.ts'
import { hasOwnAsset } from './asset-store.ts'
import { listItemStatuses, listRequestsOfAsset } from './item-store.ts'
import { type IngestRequest, lockRequest, type Reason, setRequestState } from './request-store.ts'

/** Every request that waited for an asset, now that it has ended. */
export async function settleRequestsOf(tx: Transaction, actor: Actor, assetId: string): Promise<void> {
  for (const requestId of await listRequestsOfAsset(tx, actor.accountId, assetId)) {
    await settleRequest(tx, actor, requestId)
  }
}

/** Fails a request whose program can no longer be one. All others go on. */
export async function settleRequest(tx: Transaction, actor: Actor, requestId: string): Promise<void> {
  const { accountId, nowMs } = actor
  const request = await lockRequest(tx, accountId, requestId)
  if (request?.state !== 'PROCESSING') return
  const items = await listItemStatuses(tx, request)
  const videos = items.filter(({ type }) => type === 'VIDEO').map(({ state }) => state)
  const outcome = outcomeOf(videos, await canFill(tx, request))
  if (outcome.kind === 'failed') await setRequestState(tx, request, 'FAILED', reasons[outcome.reason], nowMs)
}

/** With what the channel has of its own, or the account has or is about to have. */
async function canFill(tx: Transaction, { accountId, channelId }: IngestRequest): Promise<boolean> {
  return (await hasFill(tx, accountId, channelId)) || (await hasOwnAsset(tx, accountId, 'slate:time_fill'))
}

const reasons: Readonly<Record<'nothing_to_play' | 'no_fill', Reason>> = {
  nothing_to_play: {
    code: 'request.nothing_to_play',
    message:
      'None of the videos can be played; each says why. Hand the program over again when they are mended.',
  },
  no_fill: {
    code: 'request.no_fill',
    message: 'A video cannot be played, and the account has no time fill to put in its place.',
  },
}
