import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { setDue } from '../../platform/due/due-rows.ts'
import { closeAlert, openAlert } from '../alerts/index.ts'
import { findChannel } from '../channels/index.ts'
import { type IngestRequest, listFailedOverlapping, type Reason } from './request-store.ts'

/**
 * Opens an alert for a request that FAILED before the time of its program is over: the channel will not show the program
 * unless an operator acts. Each time slot has one alert at most, that of the last request.
 */
export async function alertFailed(
  tx: Transaction,
  actor: Actor,
  request: IngestRequest,
  { code, message }: Reason,
): Promise<void> {
  const { accountId, requestId, channelId, programTitle, startMs, endMs } = request
  await closeFailedAlerts(tx, actor, request)
  if (endMs <= actor.nowMs) return
  const channel = await findChannel(tx, accountId, channelId)
  if (channel === undefined) return
  const start = new Date(startMs).toISOString()
  await openAlert(tx, actor, {
    ...subjectOf(requestId),
    severity: 'CRITICAL',
    message: `The program "${programTitle}" of channel "${channel.title}" at ${start} failed (${code}): ${message}`,
  })
  await setDue(tx, { kind: 'failed_program', subjectId: requestId, accountId, dueMs: endMs })
}

/** Closes the alerts of failed requests whose time slot another request has now. */
export async function closeFailedAlerts(
  tx: Transaction,
  actor: Actor,
  request: IngestRequest,
): Promise<void> {
  for (const requestId of await listFailedOverlapping(tx, request, actor.nowMs))
    if (requestId !== request.requestId) await closeAlert(tx, actor, subjectOf(requestId))
}

/** The time of a failed program is over. */
export async function endFailedAlert(tx: Transaction, actor: Actor, requestId: string): Promise<void> {
  await closeAlert(tx, actor, subjectOf(requestId))
}

const subjectOf = (requestId: string) => ({
  code: 'program.failed' as const,
  subjectType: 'schedule_request',
  subjectId: requestId,
})
