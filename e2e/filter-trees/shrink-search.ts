import type { FilterTree } from './filter-tree.ts'
import type { Search } from './random-search.ts'

/** The smallest search that is still wrong, found by leaving out parts one by one. */
export async function shrinkSearch(
  search: Search,
  isWrong: (search: Search) => Promise<boolean>,
): Promise<Search> {
  for (const smaller of smallerSearches(search)) {
    if (await isWrong(smaller)) return shrinkSearch(smaller, isWrong)
  }
  return search
}

function* smallerSearches(search: Search): Generator<Search> {
  if (search.shownMs !== null) yield { ...search, shownMs: null }
  if (search.sort !== undefined) yield { ...search, sort: undefined }
  if (search.fields.length > 0) yield { ...search, fields: [] }
  const terms = search.query.split(/\s+/)
  for (const [at] of terms.entries()) {
    if (search.query !== '') yield { ...search, query: terms.toSpliced(at, 1).join(' ') }
  }
  if (search.filter === undefined) return
  yield { ...search, filter: undefined }
  for (const filter of smallerFilters(search.filter)) yield { ...search, filter }
}

function* smallerFilters(tree: FilterTree): Generator<FilterTree> {
  switch (tree.kind) {
    case 'exists':
      return
    case 'not':
      yield tree.of
      for (const of of smallerFilters(tree.of)) yield { ...tree, of }
      return
    case 'and':
    case 'or':
      yield* tree.of
      for (const [at, part] of tree.of.entries()) {
        if (tree.of.length > 1) yield { ...tree, of: tree.of.toSpliced(at, 1) }
        for (const smaller of smallerFilters(part)) yield { ...tree, of: tree.of.with(at, smaller) }
      }
      return
    default:
      yield* smallerLeaves(tree)
  }
}

function* smallerLeaves(leaf: Extract<FilterTree, { conditions: unknown }>): Generator<FilterTree> {
  const { conditions } = leaf
  for (const [at, condition] of conditions.entries()) {
    const { values } = condition
    if (conditions.length > 1) yield { ...leaf, conditions: conditions.toSpliced(at, 1) }
    if (values.length < 2) continue
    for (const half of [values.slice(0, values.length >> 1), values.slice(values.length >> 1)]) {
      yield { ...leaf, conditions: conditions.with(at, { ...condition, values: half }) }
    }
  }
}
