import type { Draw } from '../draw.ts'
import { awkwardDates, awkwardLabels, awkwardNumbers } from './awkward-values.ts'
import {
  type Condition,
  type Field,
  type FilterTree,
  fields,
  type LeafOperator,
  shownIn,
  type Value,
} from './filter-tree.ts'
import { type CatalogVideo, NOW_MS } from './random-catalog.ts'

const everyField = Object.keys(fields) as Field[]
const ordered = everyField.filter((field) => fields[field] !== 'text')

/** A filter that is small enough to be accepted. Most values are a video's own, or next to one. */
export function someFilter(draw: Draw, videos: readonly CatalogVideo[], depth = 0): FilterTree {
  const inner = () => someFilter(draw, videos, depth + 1)
  const isLeaf = draw.chance(0.35 + 0.15 * depth) || depth >= 6
  if (!isLeaf) {
    const kind = draw.one(['and', 'and', 'or', 'or', 'not'] as const)
    return kind === 'not' ? { kind, of: inner() } : { kind, of: draw.some(1, 3, inner) }
  }
  const kind = draw.one(['in', 'in', 'in', 'eq', 'exists', 'gte', 'lte', 'gt', 'lt'] as const)
  if (kind === 'exists') return { kind, field: draw.one(everyField) }
  const possible = kind === 'in' || kind === 'eq' ? everyField : ordered
  const names = new Set(draw.some(1, draw.chance(0.8) ? 1 : 4, () => draw.one(possible)))
  return { kind, conditions: [...names].map((field) => someCondition(draw, videos, kind, field)) }
}

function someCondition(
  draw: Draw,
  videos: readonly CatalogVideo[],
  kind: LeafOperator,
  field: Field,
): Condition {
  const value = () => someValue(draw, draw.one(videos), field)
  return { field, values: kind === 'in' ? draw.some(1, draw.chance(0.02) ? 500 : 6, value) : [value()] }
}

function someValue(draw: Draw, video: CatalogVideo, field: Field): Value {
  const own = draw.one([...shownIn(video, field), undefined])
  switch (fields[field]) {
    case 'number':
      return itself(
        own === undefined || draw.chance(0.2)
          ? draw.one(awkwardNumbers)
          : Number(own) + draw.one([0, 0, 0, 1, -1, 0.5]),
      )
    case 'time':
      return own === undefined || draw.chance(0.2) ? draw.one(awkwardDates) : nearDate(draw, String(own))
    default:
      return itself(
        own === undefined || draw.chance(0.1) ? draw.one(awkwardLabels) : nearText(draw, String(own)),
      )
  }
}

const itself = (value: string | number): Value => ({ sent: value, meant: value })

/** Digits past the millisecond are cut off. */
function nearDate(draw: Draw, date: string): Value {
  const ms = Date.parse(date) + draw.one([0, 0, 0, 1, -1])
  if (draw.chance(0.1)) {
    const seconds = Math.min(Math.abs(Math.round((ms - NOW_MS) / 1_000)), 999_999)
    const sign = ms < NOW_MS ? '-' : '+'
    return { sent: `now${sign}${seconds}s`, meant: NOW_MS + Number(`${sign}${seconds}`) * 1_000 }
  }
  const text = new Date(ms).toISOString()
  if (!/^\d{4}-/.test(text)) return { sent: date, meant: Date.parse(date) }
  return { sent: draw.one([text, text, text.replace(/\.(\d+)Z$/, '.$1999Z')]), meant: ms }
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
