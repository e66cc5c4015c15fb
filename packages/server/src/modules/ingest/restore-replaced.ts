import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { hasProgram } from '../schedule/index.ts'
import { changeRequestState } from './request-events.ts'
import { type IngestRequest, lockRequest } from './request-store.ts'
import { noteEnded, settleRequest } from './settle-request.ts'

/**
 * Restores the state of the request that airs after a request has failed before it was placed: the last one before it that
 * has a program. Requests in between were replaced before they were placed. The channel is locked.
 */
export async function restoreReplaced(tx: Transaction, actor: Actor, request: IngestRequest): Promise<void> {
  for await (const former of replacedBy(tx, request)) {
    if (former.programId === null) continue
    const { accountId } = former
    if (!(await hasProgram(tx, { accountId, programId: former.programId }))) return
    await changeRequestState(tx, actor, former, 'PROCESSING', null)
    const settled = await settleRequest(tx, actor, former.requestId)
    // Its videos may have become ready or failed while it was replaced.
    if (settled !== undefined) await noteEnded(tx, actor, settled)
    return
  }
}

/** The requests that one has replaced, the last one first; each is locked. */
export async function* replacedBy(
  tx: Transaction,
  { accountId, replacesId }: Pick<IngestRequest, 'accountId' | 'replacesId'>,
): AsyncGenerator<IngestRequest> {
  let nextId = replacesId
  while (nextId !== null) {
    const former = await lockRequest(tx, accountId, nextId)
    if (former?.state !== 'REPLACED') return
    yield former
    nextId = former.replacesId
  }
}
