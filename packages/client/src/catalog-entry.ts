import type { BodyOf, Operations } from '@continuity/contract'

export type BrandDraft = BodyOf<Operations['createBrand']>
export type SeriesDraft = BodyOf<Operations['createSeries']>
export type VideoDraft = BodyOf<Operations['createVideo']>

/**
 * A record as it is exported and imported, in JSON: one line of an export.
 *
 * Ids differ between systems, so a series has a key that is unique within the
 * file, and a video refers to its series by that key.
 */
export type CatalogEntry = BrandEntry | SeriesEntry | VideoEntry

export type BrandEntry = { readonly type: 'brand' } & BrandDraft
export type SeriesEntry = { readonly type: 'series'; readonly key: string } & SeriesDraft
export type VideoEntry = { readonly type: 'video'; readonly series_key?: string | null } & VideoDraft

/** Why a value cannot be an entry; undefined where the service has to check it. */
export function faultOfEntry(entry: unknown): string | undefined {
  if (typeof entry !== 'object' || entry === null || Array.isArray(entry)) return 'is not a JSON object'
  const { type, key, series_id, series_key } = entry as Readonly<Record<string, unknown>>
  if (type === 'brand') return undefined
  if (type === 'series') return isKey(key) ? undefined : 'the series has no "key" of 1 to 255 characters'
  if (type !== 'video') return `"type" is ${JSON.stringify(type) ?? 'missing'}, not brand, series or video`
  if (series_key === undefined || series_key === null) return undefined
  if (!isKey(series_key)) return '"series_key" must have 1 to 255 characters'
  return series_id === undefined ? undefined : '"series_key" and "series_id" cannot both be given'
}

const isKey = (value: unknown): boolean => typeof value === 'string' && value !== '' && value.length <= 255
