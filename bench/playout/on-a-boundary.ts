import type { ClockControl } from '@continuity/dev/clock-control'
import type { Figures } from '@continuity/dev/figures'
import type { Measurable } from '../engine/measured-server.ts'
import { countsSince, readCounts } from './node-counts.ts'
import { requestMany } from './request-many.ts'

/** Longer than any segment: every playlist changes. */
const STEP_MS = 5_000

export interface Boundary {
  readonly node: Measurable
  /** The node's clock. It is stopped, so that there is only one boundary. */
  readonly clock: ClockControl
  readonly paths: readonly string[]
  readonly requests: number
}

/** How often a playlist is rendered when all of its viewers request the next one at once. */
export async function countRenders({ node, clock, paths, requests }: Boundary): Promise<Figures> {
  await requestMany(node.url, paths, paths.length)
  const before = await readCounts(node)
  await clock.steer({ kind: 'advance', byMs: STEP_MS })
  await requestMany(node.url, paths, requests)
  const { rendered } = countsSince(before, await readCounts(node))
  return {
    boundary_requests: requests,
    boundary_playlists: paths.length,
    renders_per_playlist: rendered / paths.length,
  }
}
