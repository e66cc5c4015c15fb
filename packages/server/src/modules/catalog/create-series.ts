import type { Actor } from '../../platform/actor.ts'
import type { Transaction } from '../../platform/database/database.ts'
import { newId } from '../../platform/ids.ts'
import { countRecord } from './record-totals.ts'
import { recordSeriesWrite } from './record-write.ts'
import { requireNamedBrand } from './require-brand.ts'
import { insertSeries, type Series, type SeriesFields } from './series-store.ts'

export type SeriesDraft = Pick<SeriesFields, 'title'> & Partial<SeriesFields>

/** What a series is where nobody has said otherwise. */
const unsaid = { description: '', brandId: null, images: [], status: 'READY' } as const

export async function createSeries(tx: Transaction, actor: Actor, draft: SeriesDraft): Promise<Series> {
  const { accountId, nowMs } = actor
  const fields = { ...unsaid, ...draft }
  await requireNamedBrand(tx, accountId, fields.brandId, 'brand_id')
  const series = await insertSeries(tx, { accountId, seriesId: newId(nowMs) }, fields, nowMs)
  await recordSeriesWrite(tx, actor, { before: null, after: series })
  await countRecord(tx, accountId, 'series', null, series)
  return series
}
