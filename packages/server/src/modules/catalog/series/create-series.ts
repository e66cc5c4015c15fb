import type { Actor } from '../../../platform/actor.ts'
import { newId } from '../../../platform/crypto/ids.ts'
import type { Transaction } from '../../../platform/database/database.ts'
import { countRecord } from '../records/record-totals.ts'
import { recordSeriesWrite } from '../records/record-write.ts'
import { requireNamedBrand } from '../records/require-brand.ts'
import { insertSeries, type Series, type SeriesFields } from '../records/series-store.ts'

export type SeriesDraft = Pick<SeriesFields, 'title'> & Partial<SeriesFields>

const defaults = { description: '', brandId: null, images: [], status: 'READY' } as const

export async function createSeries(tx: Transaction, actor: Actor, draft: SeriesDraft): Promise<Series> {
  const { accountId, nowMs } = actor
  const fields = { ...defaults, ...draft }
  await requireNamedBrand(tx, accountId, fields.brandId, 'brand_id')
  const series = await insertSeries(tx, { accountId, seriesId: newId(nowMs) }, fields, nowMs)
  await recordSeriesWrite(tx, actor, { before: null, after: series })
  await countRecord(tx, accountId, 'series', null, series)
  return series
}
