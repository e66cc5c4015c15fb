import { type Figures, type Measured, round } from '@continuity/dev/figures'
import { readResults } from '../../proofs/results.ts'

const GROWTH_MOST = 1.5

/** The growth of all times against the result of a catalog of a million. */
export function growthOf(figures: Figures): Measured {
  const smaller = new Map(
    Object.entries(readResults()['bench-catalog']?.figures ?? {}).map(([name, { figure }]) => [
      name,
      Number(figure),
    ]),
  )
  const times = Object.entries(figures).filter(
    ([name]) => /^(first|deep|search).*_p95_ms$/.test(name) && !name.includes('bare'),
  )
  const grown = times.map(([name, value]) => {
    // Words of a third of all videos correspond to the smaller catalog's frequent searches.
    const before = smaller.get(name.replace('search_third', 'search_frequent')) ?? Number.NaN
    return [name.replace(/_ms$/, '_growth'), round(Number(value) / before, 3)] as const
  })
  return {
    figures: Object.fromEntries(grown),
    targets: Object.fromEntries(grown.map(([name]) => [name, { atMost: GROWTH_MOST }])),
  }
}
