import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { cancelUnwanted } from './cancel-unwanted.ts'
import { changeRequestState } from './request-events.ts'
import { listRequestsOfPrograms, lockRequest } from './request-store.ts'

/**
 * Cancels the request of a program that an operator has removed. One that another request replaces, and whose program was
 * to air until then, stays REPLACED. The channel is locked.
 */
export async function cancelRequestOf(tx: Transaction, actor: Actor, programId: string): Promise<void> {
  const requestId = (await listRequestsOfPrograms(tx, actor.accountId, [programId])).get(programId)
  const request = requestId === undefined ? undefined : await lockRequest(tx, actor.accountId, requestId)
  if (request === undefined) return
  if (request.state === 'PROCESSING' || request.state === 'SCHEDULED')
    await changeRequestState(tx, actor, request, 'CANCELLED', null)
  await cancelUnwanted(tx, actor, request.requestId)
}
