import type { BodyOf, Operations } from '@continuity/contract'
import { type FilterField, filterFields } from '@continuity/core/search/filter'
import type { Draw } from '../draw.ts'
import { awkwardDates, awkwardLabels, awkwardNumbers } from './awkward-values.ts'
import { type CatalogVideo, NOW_MS } from './random-catalog.ts'

/** A filter as the wire gives it. */
export type SearchFilter = NonNullable<BodyOf<Operations['searchVideos']>['filter']>

const fields = Object.keys(filterFields) as FilterField[]
const ordered = fields.filter((field) => filterFields[field] === 'number' || filterFields[field] === 'time')

/** A filter that is small enough to be taken. Most values are a video's own, or next to one. */
export function someFilter(draw: Draw, videos: readonly CatalogVideo[], depth = 0): SearchFilter {
  const inner = () => someFilter(draw, videos, depth + 1)
  const isLeaf = draw.chance(0.35 + 0.15 * depth) || depth >= 6
  if (!isLeaf) {
    const kind = draw.one(['and', 'and', 'or', 'or', 'not'] as const)
    return kind === 'not' ? { not: inner() } : { [kind]: draw.some(1, 3, inner) }
  }
  const operator = draw.one(['in', 'in', 'in', 'eq', 'exists', 'gte', 'lte', 'gt', 'lt'] as const)
  if (operator === 'exists') return { exists: draw.one(fields) }
  const asked = operator === 'in' || operator === 'eq' ? fields : ordered
  const names = draw.some(1, draw.chance(0.8) ? 1 : 4, () => draw.one(asked))
  return { [operator]: Object.fromEntries(names.map((name) => [name, valueFor(operator, name)])) }

  function valueFor(of: typeof operator, field: FilterField) {
    const value = () => someValue(draw, draw.one(videos), field)
    return of === 'in' ? draw.some(1, draw.chance(0.02) ? 500 : 6, value) : value()
  }
}

function someValue(draw: Draw, video: CatalogVideo, field: FilterField): string | number {
  const own = draw.one([...ownValues(video, field), undefined])
  switch (filterFields[field]) {
    case 'number':
      return own === undefined || draw.chance(0.2)
        ? draw.one(awkwardNumbers)
        : Number(own) + draw.one([0, 0, 0, 1, -1, 0.5])
    case 'time':
      return own === undefined || draw.chance(0.2) ? draw.one(awkwardDates) : nearDate(draw, String(own))
    default:
      return own === undefined || draw.chance(0.1) ? draw.one(awkwardLabels) : nearText(draw, String(own))
  }
}

/** What the wire shows of a video in a field. */
function ownValues({ record }: CatalogVideo, field: FilterField): readonly (string | number)[] {
  switch (field) {
    case 'channel_id':
      return record.channel_ids
    case 'genre':
      return record.genres.map(({ genre }) => genre)
    case 'sub_genre':
      return record.genres.map(({ sub_genre }) => sub_genre)
    case 'keywords':
      return record.keywords
    default: {
      const value = record[field]
      return value === null ? [] : [value]
    }
  }
}

function nearDate(draw: Draw, date: string): string {
  const ms = Date.parse(date) + draw.one([0, 0, 0, 1, -1])
  if (draw.chance(0.1)) return `now${relative(Math.round((ms - NOW_MS) / 1_000))}s`
  const text = new Date(ms).toISOString()
  return /^\d{4}-/.test(text) ? draw.one([text, text, text.replace(/\.(\d+)Z$/, '.$1999Z')]) : date
}

const relative = (seconds: number) => {
  const most = Math.min(Math.abs(seconds), 999_999)
  return `${seconds < 0 ? '-' : '+'}${most}`
}

/** Not longer than the wire takes a value. */
const nearText = (draw: Draw, text: string): string =>
  draw
    .one([
      text,
      text,
      text,
      text.toUpperCase(),
      text.toLowerCase(),
      text.normalize('NFD'),
      `${text} `,
      text.slice(0, -1),
      encodeURIComponent(text),
    ])
    .slice(0, 255)
    .toWellFormed()
