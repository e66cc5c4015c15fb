import type { BenchContext } from '../../bench.ts'
import type { MeasuredServer } from '../../engine/measured-server.ts'
import type { BenchSession } from '../../session/sessions.ts'
import type { OpenedCatalog } from '../load/open-catalog.ts'

/** What all measures are taken of. */
export interface Subject extends Pick<BenchContext, 'rounds' | 'secondsPerRound' | 'say'> {
  readonly catalog: OpenedCatalog
  readonly server: MeasuredServer
  readonly sessions: readonly BenchSession[]
  /** Of the big account. */
  readonly videos: number
  /** For scripts of the load. */
  readonly folder: string
}

/**
 * Takes each measure once a round, the other way round every second time: what
 * comes first must not always be the same. A first round warms all up and does
 * not count, but for a single one, which is for seeing that it runs.
 */
export async function takeInRounds<K extends string>(
  { rounds, say }: Pick<Subject, 'rounds' | 'say'>,
  name: string,
  measures: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(measures) as K[]
  const taken = Object.fromEntries(names.map((measure) => [measure, [] as number[]])) as Record<K, number[]>
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1) {
    for (const measure of round % 2 === 0 ? names : names.toReversed()) {
      const value = await measures[measure]()
      if (round > 0) taken[measure].push(value)
    }
    if (round > 0)
      say(`${name} ${round}: ${names.map((k) => `${k} ${taken[k].at(-1)!.toFixed(2)}`).join(', ')}`)
  }
  return taken
}

/** Of each round by itself, so that what slowed one of them slowed both of its parts. */
export const ratiosOf = (ours: readonly number[], bare: readonly number[]): number[] =>
  ours.map((value, round) => value / bare[round]!)
