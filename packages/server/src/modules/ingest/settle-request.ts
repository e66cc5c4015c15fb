import { type ItemState, outcomeOf } from '@continuity/core/ingest/request-outcome'
import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { findSlate } from '../assets/index.ts'
import { hasFill } from '../channels/index.ts'
import { findWarnings, listProgramsOfAsset, noteItemEnded, removeProgram } from '../schedule/index.ts'
import { toReason } from '../schedule/read.ts'
import { alertFailed, closeFailedAlerts } from './failed-program-alert.ts'
import { listItemStatuses, listRequestsOfAsset } from './item-store.ts'
import { changeRequestState } from './request-events.ts'
import { type IngestRequest, lockRequest, type Reason, setRequestWarnings } from './request-store.ts'

/** Settles every request and program that waited for an asset, when the asset has ended. */
export async function settleRequestsOf(tx: Transaction, actor: Actor, assetId: string): Promise<void> {
  const settled: IngestRequest[] = []
  for (const requestId of await listRequestsOfAsset(tx, actor.accountId, assetId)) {
    const request = await settleRequest(tx, actor, requestId)
    if (request !== undefined) settled.push(request)
  }
  const others = await listProgramsOfAsset(tx, actor.accountId, assetId, actor.nowMs)
  const ended = [
    ...settled.map((request) => ({
      channelId: request.channelId,
      note: () => noteEnded(tx, actor, request),
    })),
    ...others.map((it) => ({
      channelId: it.channelId,
      note: () => noteItemEnded(tx, actor, it.programId),
    })),
  ]
  // In the order of their channels: two assets of the same programs that end at once must not deadlock.
  for (const { note } of ended.toSorted((one, other) => (one.channelId < other.channelId ? -1 : 1)))
    await note()
}

/** Notifies the schedule that a request has ended. */
export async function noteEnded(tx: Transaction, actor: Actor, request: IngestRequest): Promise<void> {
  if (request.programId === null) return
  if (request.state === 'FAILED') await removeProgram(tx, actor, request.programId)
  else await noteItemEnded(tx, actor, request.programId)
}

/**
 * Moves a request to SCHEDULED when all of its videos have ended, or to FAILED when it cannot be a program any more.
 * Returns the request.
 */
export async function settleRequest(
  tx: Transaction,
  actor: Actor,
  requestId: string,
): Promise<IngestRequest | undefined> {
  const { accountId } = actor
  const request = await lockRequest(tx, accountId, requestId)
  if (request?.state !== 'PROCESSING') return request
  const items = await listItemStatuses(tx, request)
  const videos = items.filter(({ type }) => type === 'VIDEO').map(({ state }) => state)
  const outcome = outcomeOf(videos, await canFill(tx, request))
  if (outcome.kind === 'failed') {
    await changeRequestState(tx, actor, request, 'FAILED', reasons[outcome.reason])
    await alertFailed(tx, actor, request, reasons[outcome.reason])
    return { ...request, state: 'FAILED' }
  }
  if (request.programId !== null && videos.every(hasEnded)) {
    await changeRequestState(tx, actor, request, 'SCHEDULED', null)
    await closeFailedAlerts(tx, actor, request)
    await setRequestWarnings(tx, request, [
      // One that was replaced and is restored has been settled before.
      ...request.warnings.filter(({ code }) => !code.startsWith('program.')),
      // A failed item has a warning of its own.
      ...(await findWarnings(tx, { accountId, programId: request.programId }))
        .filter(({ code }) => code !== 'item_not_ready')
        .map((warning) => toReason(warning, 'videos')),
    ])
  }
  return request
}

const hasEnded = (state: ItemState): boolean => state === 'READY' || state === 'FAILED'

/** Whether time can be filled: by the channel's own slates, or by one of the account that exists or is being made. */
async function canFill(tx: Transaction, { accountId, channelId }: IngestRequest): Promise<boolean> {
  return (
    (await hasFill(tx, accountId, channelId)) ||
    (await findSlate(tx, accountId, 'slate:time_fill')) !== undefined
  )
}

const reasons: Readonly<Record<'nothing_to_play' | 'no_fill', Reason>> = {
  nothing_to_play: {
    code: 'request.nothing_to_play',
    message:
      'None of the videos can be played; see the reason of each. Hand the program over again when they are fixed.',
  },
  no_fill: {
    code: 'request.no_fill',
    message: 'A video cannot be played, and the account has no time fill to put in its place.',
  },
}
