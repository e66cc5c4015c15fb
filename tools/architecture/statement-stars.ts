import type { SourceFile } from './source-files.ts'

/**
 * Where a statement selects all columns, as `path:line text`. Its result then changes with every migration that adds a
 * column, and PostgreSQL rejects it on the connections that have prepared it. All columns of a subquery that is named
 * in the same file are fine: it lists them. So is `count(*)`.
 */
export function findStars({ path, text }: Pick<SourceFile, 'path' | 'text'>): string[] {
  const tableStars = [...text.matchAll(OF_ONE)].filter(([, name = '']) => !isSubquery(name, text))
  const lines = [...text.matchAll(BARE), ...tableStars].map(
    ({ index }) => text.slice(0, index).split('\n').length,
  )
  const all = text.split('\n')
  return [...new Set(lines)]
    .toSorted((a, b) => a - b)
    .filter((line) => !COMMENT.test(all[line - 1]!))
    .map((line) => `${path}:${line} ${all[line - 1]!.trim()}`)
}

const BARE =
  /\b(?:select(?:\s+distinct)?|returning)\s+\*|\breturns\s+setof\b|\.(?:selectAll|returningAll)\(/gi
/** Of one table, in the list of a statement: `select v.*` or `select a, v.*`. */
const OF_ONE = /\b(?:select|returning)\b[^`;]*?(?<![\w.])"?([a-z_]+)"?\.\*/gi
const COMMENT = /^\s*(?:\/\/|\/?\*|--)/

/** `with listed as (…`, `sorted as materialized (…` or `(…) as shown`. */
function isSubquery(name: string, text: string): boolean {
  return new RegExp(`\\b${name} as (?:materialized )?\\(|\\) as ${name}\\b`).test(text)
}
