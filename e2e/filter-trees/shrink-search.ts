import type { Asked } from './asked.ts'
import type { FilterTree } from './filter-tree.ts'

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
