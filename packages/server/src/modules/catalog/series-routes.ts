import { answered } from '../../http/answer.ts'
import type { Handlers } from '../../http/bind.ts'
import { recordEtag, requireSeen } from '../../http/entity-tag.ts'
import { countedTotal, pageAnswer, pageStart } from '../../http/page.ts'
import { recordHandlers } from '../../http/record-handlers.ts'
import type { Database } from '../../platform/database/database.ts'
import type { PageMarks } from '../../platform/page-mark.ts'
import { changeSeries } from './change-series.ts'
import { createSeries } from './create-series.ts'
import { deleteSeries } from './delete-series.ts'
import { requireSeries } from './require-series.ts'
import { listSeries, type Series } from './series-store.ts'
import { shownAt } from './who-sees.ts'
import { readSeriesFields, toWireSeries } from './wire.ts'

export interface SeriesDeps {
  readonly database: Database
  readonly pageMarks: PageMarks
}

/** Endpoint to use case. */
export function seriesRoutes({ database, pageMarks }: SeriesDeps) {
  const { reading, changing } = recordHandlers(database)
  return {
    listSeries: reading(async (db, call) => {
      const start = pageStart(pageMarks, call) as [string, string] | undefined
      const shownMs = shownAt(call)
      const { rows, total } = await listSeries(db, call.principal.accountId, {
        isDescending: /\.desc$/i.test(call.query.sort),
        after: start && { titleOrder: start[0], seriesId: start[1] },
        limit: call.query.page_size + 1,
        shownMs,
      })
      const page = pageAnswer(pageMarks, call, {
        rows,
        hitOf: toWireSeries,
        keyOf: (row) => [row.titleOrder, row.seriesId],
      })
      return shownMs === null ? { ...page, total } : { ...page, ...countedTotal(total) }
    }),
    getSeries: reading(async (db, call) => {
      const shownMs = shownAt(call)
      const series = await requireSeries(db, call.principal.accountId, call.params.series_id, shownMs)
      return toAnswer(series, shownMs)
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

const toAnswer = (series: Series, shownMs: number | null = null) =>
  answered(toWireSeries(series), { etag: etagOf(series, shownMs) })

/** What some may see of it changes with time, and no version counts that. */
const etagOf = ({ version, videoCount, seasonCount }: Series, shownMs: number | null) =>
  shownMs === null ? recordEtag(version) : `"${version}-${videoCount}-${seasonCount}"`
