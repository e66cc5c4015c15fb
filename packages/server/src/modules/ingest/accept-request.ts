import { checkWindow } from '@continuity/core/ingest/check-window'
import type { Actor } from '../../platform/actor.ts'
import { newId } from '../../platform/crypto/ids.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { enqueue } from '../../platform/jobs/all-jobs.ts'
import { recordAudit } from '../audit/index.ts'
import { requireChannelLocked } from '../channels/index.ts'
import { listPrograms, ScheduleOverlap, ScheduleTooLate, ScheduleTooLong } from '../schedule/index.ts'
import { insertItems, type NewItem } from './item-store.ts'
import { changeRequestState, recordRequest } from './request-events.ts'
import { type IngestRequest, insertRequest, listOverlapping, type Reason } from './request-store.ts'

/** A program as a partner submits it. */
export interface RequestDraft
  extends Pick<
    IngestRequest,
    | 'channelId'
    | 'sourceId'
    | 'brandId'
    | 'programTitle'
    | 'programDescription'
    | 'startMs'
    | 'endMs'
    | 'contentHash'
  > {
  readonly items: readonly NewItem[]
  readonly warnings: readonly Reason[]
}

/**
 * Accepts a program: from here on it is not lost. The same content sent again is the same request; other content of the
 * same source and start replaces it.
 */
export async function acceptRequest(tx: Transaction, actor: Actor, draft: RequestDraft): Promise<string> {
  const { accountId, nowMs } = actor
  // One at a time for each channel, so that the second of two overlapping requests sees the first.
  const { channelId } = await requireChannelLocked(tx, accountId, draft.channelId)
  const overlapping = await listOverlapping(tx, { ...draft, accountId, channelId })
  const former = overlapping.find(({ sourceId, startMs }) => isSameSlot(draft, { sourceId, startMs }))
  if (former?.contentHash.equals(draft.contentHash)) return former.requestId
  requireFit(draft, nowMs)
  const placed = await listPrograms(tx, { accountId, channelId }, draft.startMs, draft.endMs)
  const other =
    overlapping.find((request) => request !== former) ?? placed.find(({ origin }) => origin === 'OPERATOR')
  if (other !== undefined) throw ScheduleOverlap(printTime(other.startMs), printTime(other.endMs))

  if (former !== undefined) await changeRequestState(tx, actor, former, 'REPLACED', null)
  const request = { ...draft, accountId, channelId, requestId: newId(nowMs), createdMs: nowMs }
  await insertRequest(tx, { ...request, replacesId: former?.requestId ?? null })
  await insertItems(tx, request, draft.items)
  await recordAudit(tx, actor, auditEntryOf(request, former))
  await recordRequest(tx, actor, 'request.created', request, 'QUEUED', null)
  const { requestId } = request
  await enqueue(
    tx,
    'process_request',
    { request_id: requestId },
    { accountId, requestId: actor.requestId ?? undefined },
  )
  return requestId
}

const isSameSlot = (
  one: Pick<IngestRequest, 'sourceId' | 'startMs'>,
  other: Pick<IngestRequest, 'sourceId' | 'startMs'>,
) => one.sourceId === other.sourceId && one.startMs === other.startMs

function requireFit({ startMs, endMs, items }: RequestDraft, nowMs: number): void {
  const declaredSeconds = items.map(({ duration }) => duration)
  const result = checkWindow({ startMs, endMs, declaredSeconds }, nowMs)
  if (result.kind === 'fits') return
  throw result.reason === 'too_late' ? ScheduleTooLate() : ScheduleTooLong(result.overMs)
}

const auditEntryOf = (
  {
    requestId,
    channelId,
    sourceId,
    programTitle,
    startMs,
    endMs,
    items,
  }: RequestDraft & { requestId: string },
  former: IngestRequest | undefined,
) => ({
  action: former === undefined ? 'schedule_request.create' : 'schedule_request.replace',
  subjectType: 'schedule_request',
  subjectId: requestId,
  before: former === undefined ? null : { request_id: former.requestId, program_title: former.programTitle },
  after: {
    linear_channel_id: channelId,
    source_id: sourceId,
    program_title: programTitle,
    start_time: printTime(startMs),
    end_time: printTime(endMs),
    items: items.length,
  },
})

const printTime = (timeMs: number) => new Date(timeMs).toISOString()
