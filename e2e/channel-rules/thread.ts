import { parentPort } from 'node:worker_threads'
import { checkPlayed } from './check-played.ts'
import type { Outcome, Task } from './in-threads.ts'
import { type HistorySize, playHistory } from './play-history.ts'

/** Short, and dense with everything that can happen. */
const history: HistorySize = {
  minutes: 6,
  orderMs: 24_000,
  lookMs: 6_000,
  aheadMs: 240_000,
  longestProgramMs: 60_000,
  parseEvery: 50,
  hasOtherNodes: true,
}

const channelFor = (hours: number): HistorySize => ({
  minutes: hours * 60,
  orderMs: 900_000,
  lookMs: 7_000,
  aheadMs: 4 * 3_600_000,
  longestProgramMs: 1_800_000,
  parseEvery: 50,
  hasOtherNodes: false,
})

parentPort?.on('message', (task: Task) => parentPort?.postMessage(carryOut(task)))

function carryOut({ name, seed, hours }: Task): Outcome {
  try {
    const played = playHistory(seed, name === 'history' ? history : channelFor(hours ?? 24))
    const { programsInTime } = checkPlayed(played)
    const { looks, parsed, violations, disagreements, controller } = played
    const told = [...violations, ...disagreements].slice(0, 20).map((fault) => `${name} ${seed}: ${fault}`)
    const counts = { looks, parsed, programs: programsInTime, changes: controller.changes.length }
    return {
      counts: { ...counts, violations: violations.length, disagreements: disagreements.length },
      faults: told,
    }
  } catch (error) {
    return { counts: { broken: 1 }, faults: [`${name} ${seed}: ${(error as Error).message}`] }
  }
}
