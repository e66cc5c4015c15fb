import type { ClockControl } from '../../packages/server/src/platform/clock/clock-control.ts'
import type { Figures } from '../../tools/figures/figures.ts'
import type { Measurable } from '../engine/measured-server.ts'
import { askMany } from './ask-many.ts'
import { countsSince, readCounts } from './node-counts.ts'

/** Longer than any segment: every playlist has become another. */
const STEP_MS = 5_000

export interface Boundary {
  readonly node: Measurable
  /** The node's clock. It stands, so that there is one boundary and not a second. */
  readonly clock: ClockControl
  readonly paths: readonly string[]
  readonly requests: number
}

/** How often a playlist is made when all of its viewers ask for the next one at once. */
export async function countRenders({ node, clock, paths, requests }: Boundary): Promise<Figures> {
  await askMany(node.url, paths, paths.length)
  const before = await readCounts(node)
  await clock.order({ kind: 'advance', byMs: STEP_MS })
  await askMany(node.url, paths, requests)
  const { rendered } = countsSince(before, await readCounts(node))
  return {
    boundary_requests: requests,
    boundary_playlists: paths.length,
    renders_per_playlist: rendered / paths.length,
  }
}
