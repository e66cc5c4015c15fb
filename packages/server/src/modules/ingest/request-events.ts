import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import type { Asset, AssetState } from '../assets/index.ts'
import { recordEvent } from '../events/index.ts'
import { listItemsOfAsset } from './item-store.ts'
import { type IngestRequest, type Reason, type RequestState, setRequestState } from './request-store.ts'

type EventRequest = Pick<IngestRequest, 'requestId' | 'channelId' | 'programTitle'>

/** Changes the state of a locked request, and records the event. */
export async function changeRequestState(
  tx: Transaction,
  actor: Actor,
  request: IngestRequest,
  state: RequestState,
  reason: Reason | null,
): Promise<void> {
  await setRequestState(tx, request, state, reason, actor.nowMs)
  await recordRequest(tx, actor, 'request.changed', request, state, reason)
}

export const recordRequest = (
  tx: Transaction,
  actor: Actor,
  kind: 'request.created' | 'request.changed',
  { requestId, channelId, programTitle }: EventRequest,
  state: RequestState,
  reason: Reason | null,
): Promise<void> =>
  recordEvent(tx, actor, {
    kind,
    subjectId: requestId,
    data: {
      request_id: requestId,
      linear_channel_id: channelId,
      program_title: programTitle,
      state,
      reason: reason === null ? null : { code: reason.code, message: reason.message },
    },
  })

/** Records the state of an asset for each item that waits for it, or only for the items of one request. */
export async function recordItems(
  tx: Transaction,
  actor: Actor,
  { assetId, videoId }: Pick<Asset, 'assetId' | 'videoId'>,
  state: AssetState,
  reason: Reason | null,
  ofRequest?: string,
): Promise<void> {
  for (const { requestId, videoSourceId } of await listItemsOfAsset(tx, actor.accountId, assetId, ofRequest))
    await recordEvent(tx, actor, {
      kind: 'item.changed',
      subjectId: requestId,
      data: {
        request_id: requestId,
        video_source_id: videoSourceId,
        video_id: videoId,
        state,
        reason: reason === null ? null : { code: reason.code, message: reason.message },
      },
    })
}
