import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { proof } from '../proofs/proof.ts'
import type { SetRange, TriedSets } from './try-sets.ts'

interface Sets {
  readonly sets: number
  readonly days: number
}

const COUNTED = [
  'limited_programs',
  'rated_samples',
  'aligned_HOUR',
  'aligned_HALF_HOUR',
  'programs_NEXT_EPISODE',
  'programs_MARATHON',
  'programs_SHUFFLE',
  'programs_NEWEST_FIRST',
  'programs_REPLAY',
  'full_occurrences',
  'separations_broken',
  'breaks_BETWEEN',
  'breaks_CUE_POINTS',
  'repeats',
  'episodes',
  'near_change',
  'gaps',
]

export const planRules = proof<Sets>({
  name: 'plan-rules',
  title: 'Plans of random rules',
  promise:
    'Random rules over random catalogs are planned, in five zones over clock changes and a leap day. The same input ' +
    'gives the same bytes, and so does a plan in random portions, each continued from the state of the one before as ' +
    'it was stored. A checker without any code of the planner verifies from the programs alone: no overlap, every ' +
    'strict rule kept, every other one that is broken named in a warning, fill only where nothing is allowed.',
  watches: ['packages/core/src/rules', 'e2e/plan-rules'],
  sabotage: {
    title: 'the state does not contain recent airings',
    changes: [
      {
        file: 'packages/core/src/rules/memory.ts',
        from: 'endMs > nowMs - RECENT_MS',
        to: 'endMs > nowMs + RECENT_MS',
      },
    ],
    missed: ['plans_in_portions_that_differ'],
  },
  sizes: { small: { sets: 300, days: 4 }, full: { sets: 10_000, days: 30 } },
  async run({ size: { sets, days }, seed, log }) {
    const parts = partsOf(sets, availableParallelism())
    const tried = await Promise.all(parts.map((part) => tryInThread({ seed, days, ...part }, log)))
    const sum = (of: (part: TriedSets) => number) => tried.reduce((total, part) => total + of(part), 0)
    const figures = Object.fromEntries(
      COUNTED.map((name) => [name.toLowerCase(), sum(({ counts }) => counts[name] ?? 0)]),
    )
    const programs = sum((part) => part.programs)
    return {
      figures: {
        sets: sum((part) => part.sets),
        days,
        programs,
        ...figures,
        sets_with_faults: sum(({ faulty }) => faulty),
        plans_made_again_that_differ: sum(({ unequal }) => unequal),
        plans_in_portions_that_differ: sum(({ differing }) => differing),
      },
      targets: {
        sets: { is: sets },
        programs: { atLeast: 15 * sets * days },
        ...Object.fromEntries(COUNTED.map((name) => [name.toLowerCase(), { atLeast: 1 }])),
        sets_with_faults: { is: 0 },
        plans_made_again_that_differ: { is: 0 },
        plans_in_portions_that_differ: { is: 0 },
      },
    }
  },
})

/** Ranges of about the same length. */
function partsOf(sets: number, count: number): { readonly from: number; readonly to: number }[] {
  const edge = (at: number) => Math.round((sets * at) / count)
  return Array.from({ length: count }, (_, at) => ({ from: edge(at), to: edge(at + 1) }))
}

/** Planning keeps a processor busy, and the sets do not depend on each other. */
async function tryInThread(range: SetRange, log: (line: string) => void): Promise<TriedSets> {
  const thread = new Worker(new URL('./try-sets-thread.ts', import.meta.url), { workerData: range })
  thread.on('message', (message: string | TriedSets) => typeof message === 'string' && log(message))
  const tried = new Promise<TriedSets>((resolve, reject) => {
    thread.on('message', (message: string | TriedSets) => typeof message !== 'string' && resolve(message))
    thread.once('error', reject)
    thread.once('exit', (code) => reject(new Error(`the thread ended with ${code}`)))
  })
  return tried.finally(() => thread.terminate())
}
