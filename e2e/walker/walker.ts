import { findDifference } from './compare-full.ts'
import { lookAt, lookAtMultivariant, newWalk, restart, type Sighting, type WalkerOptions } from './look.ts'
import type { Report, Violation } from './rules.ts'

export interface DeltaSighting extends Omit<Sighting, 'isDelta'> {
  /** The whole playlist of the same instant, to compare with. */
  readonly full?: string
}

/** Reads the playlists of one output as a player would, one after the other. */
export interface Walker {
  /** Takes a media playlist as it was fetched, and gives what is wrong with it. */
  readonly see: (sighting: Sighting) => readonly Violation[]
  /** Merges a delta update with what was last seen of its rendition, and checks the outcome. */
  readonly seeDelta: (sighting: DeltaSighting) => readonly Violation[]
  readonly seeMultivariant: (text: string, atMs?: number) => readonly Violation[]
  /** Begins a new session after the end of the channel, which keeps what must never come twice. */
  readonly restart: () => void
  /** The first thousand. */
  readonly violations: readonly Violation[]
  readonly count: () => number
}

const MAX_VIOLATIONS = 1_000

export function createWalker(options: WalkerOptions): Walker {
  const walk = newWalk(options)
  const violations: Violation[] = []
  let count = 0

  /** Every rule is reported once for a text: a fault of a playlist mostly shows at each of its segments. */
  const collect = (atMs: number, rendition: string, look: (report: Report) => void) => {
    const found: Violation[] = []
    look((rule, detail) => {
      if (!found.some((other) => other.rule === rule)) found.push({ rule, atMs, rendition, detail })
    })
    walk.lastAtMs = atMs
    count += found.length
    violations.push(...found.slice(0, MAX_VIOLATIONS - violations.length))
    return found
  }
  return {
    see: (sighting) => collect(sighting.atMs, sighting.rendition, (report) => lookAt(walk, sighting, report)),
    seeDelta: ({ full, ...sighting }) =>
      collect(sighting.atMs, sighting.rendition, (report) => {
        const rendition = lookAt(walk, { ...sighting, isDelta: true }, report)
        const difference = full === undefined ? undefined : findDifference(rendition, full)
        if (difference !== undefined) report('delta-differs', difference)
      }),
    seeMultivariant: (text, atMs = walk.lastAtMs) =>
      collect(atMs, '', (report) => lookAtMultivariant(walk, text, report)),
    restart: () => restart(walk),
    violations,
    count: () => count,
  }
}
