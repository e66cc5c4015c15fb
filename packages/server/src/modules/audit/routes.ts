import type { AnswerOf, Operations } from '@continuity/contract'
import type { Handlers } from '../../http/bind.ts'
import { countedTotal, pageAnswer, pageStart, TOTAL_MAXIMUM } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { PageCursors } from '../../platform/crypto/page-cursor.ts'
import type { Database } from '../../platform/database/database.ts'
import { listAudit } from './list-audit.ts'
import type { AuditEntryRow } from './store.ts'

interface AuditRoutesOptions {
  readonly database: Database
  readonly pageCursors: PageCursors
}

export function auditRoutes({ database, pageCursors }: AuditRoutesOptions) {
  const { reading } = recordHandlers(database)
  return {
    listAudit: reading(async (db, call) => {
      const { from, to, user_id: userId, subject_id: subjectId, page_size: size } = call.query
      const { accountId } = call.principal
      const filter = { fromMs: timeOf(from), toMs: timeOf(to), userId, subjectId }
      const [beforeId] = (pageStart(pageCursors, call) ?? []) as [string?]
      const range = { beforeId, limit: size + 1, countMost: TOTAL_MAXIMUM + 1 }
      const { rows, counted } = await listAudit(db, accountId, filter, range)
      const page = pageAnswer(pageCursors, call, { rows, hitOf: entryOf, keyOf: (row) => [row.audit_id] })
      return { ...page, ...countedTotal(counted) }
    }),
  } satisfies Handlers
}

const timeOf = (text: string | undefined) => (text === undefined ? undefined : Date.parse(text))

type AuditEntry = AnswerOf<Operations['listAudit']>['hits'][number]

function entryOf({ at_ms, ...entry }: AuditEntryRow): AuditEntry {
  return { ...entry, at: new Date(at_ms).toISOString() }
}
