import type { Handlers } from '../../http/bind.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import { isId } from '../../platform/crypto/ids.ts'
import type { Database } from '../../platform/database/database.ts'
import { acceptRequest } from './accept-request.ts'
import { RequestNotFound } from './errors.ts'
import { listItemStatuses } from './item-store.ts'
import { findRequest } from './request-store.ts'
import { readRequest, toWireStatus } from './wire.ts'

/** Endpoint to use case. */
export function ingestRoutes({ database }: { readonly database: Database }) {
  const { reading, changing } = recordHandlers(database)
  return {
    scheduleProgram: changing(async (tx, { body }, actor) => ({
      request_id: await acceptRequest(tx, actor, readRequest(body)),
      message: 'The schedule is queued for processing.',
    })),

    getScheduleRequest: reading(async (db, { params, principal: { accountId } }) => {
      const { request_id: requestId } = params
      const request = isId(requestId) ? await findRequest(db, accountId, requestId) : undefined
      if (request === undefined) throw RequestNotFound()
      return toWireStatus(request, await listItemStatuses(db, { accountId, requestId }))
    }),
  } satisfies Handlers
}
