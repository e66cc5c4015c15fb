import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { type Figures, type Measured, round } from '../../tools/figures/figures.ts'

const GROWTH_MOST = 1.5

/** The proof of a catalog of a million. */
export const readSmallerProof = (): string =>
  readFileSync(join(projectRoot, 'docs/proofs/bench-catalog.md'), 'utf8')

/** The growth of all times against the proof of a smaller catalog. */
export function growthOf(figures: Figures, proof: string): Measured {
  const rows = proof.matchAll(/^\| (\w+) \| ([\d.]+) \|/gm)
  const smaller = new Map([...rows].map(([, name, value]) => [name!, Number(value)]))
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
