import type { BenchContext } from '../../bench.ts'
import type { MeasuredServer } from '../../engine/measured-server.ts'
import type { BenchSession } from '../../session/sessions.ts'
import type { OpenedCatalog } from '../load/open-catalog.ts'

/** The system that all measurements use. */
export interface Subject extends Pick<BenchContext, 'rounds' | 'secondsPerRound' | 'log'> {
  readonly catalog: OpenedCatalog
  readonly server: MeasuredServer
  readonly sessions: readonly BenchSession[]
  /** Number of videos of the big account. */
  readonly videos: number
  /** Folder for load scripts. */
  readonly folder: string
}

/**
 * Runs each measurement once a round, in reverse order every second round, so that the first one is not always the
 * same. The first round is a warm-up and does not count, unless it is the only one.
 */
export async function measureInRounds<K extends string>(
  { rounds, log }: Pick<Subject, 'rounds' | 'log'>,
  name: string,
  measures: Readonly<Record<K, () => Promise<number>>>,
): Promise<Record<K, number[]>> {
  const names = Object.keys(measures) as K[]
  const measured = Object.fromEntries(names.map((measure) => [measure, [] as number[]])) as Record<
    K,
    number[]
  >
  for (let round = rounds > 1 ? 0 : 1; round <= rounds; round += 1) {
    for (const measure of round % 2 === 0 ? names : names.toReversed()) {
      const value = await measures[measure]()
      if (round > 0) measured[measure].push(value)
    }
    if (round > 0)
      log(`${name} ${round}: ${names.map((k) => `${k} ${measured[k].at(-1)!.toFixed(2)}`).join(', ')}`)
  }
  return measured
}

/** Ratios by round, so that a disturbance affects both values of a ratio. */
export const ratiosOf = (ours: readonly number[], bare: readonly number[]): number[] =>
  ours.map((value, round) => value / bare[round]!)
