import { answered } from '../../../http/answer.ts'
import type { Handlers } from '../../../http/bind.ts'
import { recordEtag, requireSeen } from '../../../http/entity-tag.ts'
import { countedTotal, pageAnswer, pageStart } from '../../../http/page.ts'
import { recordHandlers } from '../../../http/record-handlers.ts'
import type { PageCursors } from '../../../platform/crypto/page-cursor.ts'
import type { Database } from '../../../platform/database/database.ts'
import { requireSeries } from '../records/require-series.ts'
import { listSeries, type Series } from '../records/series-store.ts'
import { visibleAt } from '../records/visibility.ts'
import { readSeriesFields, toWireSeries } from '../records/wire.ts'
import { changeSeries } from './change-series.ts'
import { createSeries } from './create-series.ts'
import { deleteSeries } from './delete-series.ts'

export interface SeriesDeps {
  readonly database: Database
  readonly pageCursors: PageCursors
}

/** Endpoint to use case. */
export function seriesRoutes({ database, pageCursors }: SeriesDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listSeries: reading(async (db, call) => {
      const start = pageStart(pageCursors, call) as [string, string] | undefined
      const visibleAtMs = visibleAt(call)
      const { rows, total } = await listSeries(db, call.principal.accountId, {
        isDescending: /\.desc$/i.test(call.query.sort),
        after: start && { titleOrder: start[0], seriesId: start[1] },
        limit: call.query.page_size + 1,
        visibleAtMs,
      })
      const page = pageAnswer(pageCursors, call, {
        rows,
        hitOf: toWireSeries,
        keyOf: (row) => [row.titleOrder, row.seriesId],
      })
      return visibleAtMs === null ? { ...page, total } : { ...page, ...countedTotal(total) }
    }),
    getSeries: reading(async (db, call) => {
      const visibleAtMs = visibleAt(call)
      const series = await requireSeries(db, call.principal.accountId, call.params.series_id, visibleAtMs)
      return toAnswer(series, visibleAtMs)
    }),
    createSeries: changing(async (tx, { body }, actor) => {
      const draft = { ...readSeriesFields(body), title: body.title }
      return toAnswer(await createSeries(tx, actor, draft))
    }),
    changeSeries: changing(async (tx, call, actor) => {
      const changes = readSeriesFields(call.body)
      return toAnswer(await changeSeries(tx, actor, call.params.series_id, changes, requireSeen(call)))
    }),
    deleteSeries: changing(async (tx, call, actor) => {
      await deleteSeries(tx, actor, call.params.series_id, requireSeen(call))
    }),
  } satisfies Handlers
}

const toAnswer = (series: Series, visibleAtMs: number | null = null) =>
  answered(toWireSeries(series), { etag: etagOf(series, visibleAtMs) })

/** The public counts change with time, without a new version, so they are part of the tag. */
const etagOf = ({ version, videoCount, seasonCount }: Series, visibleAtMs: number | null) =>
  visibleAtMs === null ? recordEtag(version) : `"${version}-${videoCount}-${seasonCount}"`
