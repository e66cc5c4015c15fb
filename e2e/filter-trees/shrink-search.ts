import type { Asked } from './asked.ts'
import type { SearchFilter } from './random-filter.ts'

/** The smallest search that is still wrong, found by leaving out one thing after the other. */
export async function shrinkSearch(
  asked: Asked,
  isWrong: (asked: Asked) => Promise<boolean>,
): Promise<Asked> {
  for (const smaller of smallerSearches(asked)) {
    if (await isWrong(smaller)) return shrinkSearch(smaller, isWrong)
  }
  return asked
}

function* smallerSearches(asked: Asked): Generator<Asked> {
  if (asked.shownMs !== null) yield { ...asked, shownMs: null }
  if (asked.sort !== undefined) yield { ...asked, sort: undefined }
  if (asked.fields.length > 0) yield { ...asked, fields: [] }
  const terms = asked.query.split(/\s+/)
  for (const [at] of terms.entries()) {
    if (asked.query !== '') yield { ...asked, query: terms.toSpliced(at, 1).join(' ') }
  }
  if (asked.filter === undefined) return
  yield { ...asked, filter: undefined }
  for (const filter of smallerFilters(asked.filter)) yield { ...asked, filter }
}

function* smallerFilters(filter: SearchFilter): Generator<SearchFilter> {
  if (filter.not !== undefined) {
    yield filter.not
    for (const not of smallerFilters(filter.not)) yield { not }
  }
  for (const kind of ['and', 'or'] as const) {
    const parts = filter[kind] ?? []
    yield* parts
    for (const [at, part] of parts.entries()) {
      if (parts.length > 1) yield { [kind]: parts.toSpliced(at, 1) }
      for (const smaller of smallerFilters(part)) yield { [kind]: parts.with(at, smaller) }
    }
  }
  for (const kind of ['in', 'eq', 'gte', 'lte', 'gt', 'lt'] as const) {
    const members = Object.entries(filter[kind] ?? {})
    for (const [at, [name, value]] of members.entries()) {
      if (members.length > 1) yield { [kind]: Object.fromEntries(members.toSpliced(at, 1)) }
      if (!Array.isArray(value) || value.length < 2) continue
      for (const half of [value.slice(0, value.length >> 1), value.slice(value.length >> 1)]) {
        yield { [kind]: Object.fromEntries(members.with(at, [name, half])) }
      }
    }
  }
}
