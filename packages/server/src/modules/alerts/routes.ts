import type { AnswerOf, Operations } from '@continuity/contract'
import type { Handlers } from '../../http/bind.ts'
import { countedTotal, pageAnswer, pageStart, TOTAL_MAXIMUM } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { PageCursors } from '../../platform/crypto/page-cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { type AlertRow, countAlerts, selectAlerts } from './store.ts'

interface AlertRoutesOptions {
  readonly database: Database
  readonly pageCursors: PageCursors
}

export function alertRoutes({ database, pageCursors }: AlertRoutesOptions) {
  const { reading } = recordHandlers(database)
  return {
    listAlerts: reading(async (db, call) => {
      const { page_size: size, state, severity } = call.query
      const { accountId } = call.principal
      const filter = { state, severity }
      const [beforeId] = (pageStart(pageCursors, call) ?? []) as [string?]
      const rows = await selectAlerts(db, accountId, filter, beforeId, size + 1).execute()
      const page = pageAnswer(pageCursors, call, { rows, hitOf: alertOf, keyOf: (row) => [row.alert_id] })
      const count = countAlerts(db, accountId, filter, TOTAL_MAXIMUM + 1)
      return { ...page, ...countedTotal((await count.executeTakeFirstOrThrow()).counted) }
    }),
  } satisfies Handlers
}

type Alert = AnswerOf<Operations['listAlerts']>['hits'][number]

function alertOf({ opened_ms, closed_ms, ...alert }: AlertRow): Alert {
  return {
    ...alert,
    opened_at: new Date(opened_ms).toISOString(),
    closed_at: closed_ms === null ? null : new Date(closed_ms).toISOString(),
  }
}
