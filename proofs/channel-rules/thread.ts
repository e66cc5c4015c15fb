import { parentPort } from 'node:worker_threads'
import { openOtherDecoder } from '@continuity/dev/scte35-decoder'
import { checkPlayed } from './check-played.ts'
import type { Outcome, Task } from './in-threads.ts'
import { type HistorySize, type Played, playHistory } from './play-history.ts'

/** Short, with frequent commands. */
const history: HistorySize = {
  minutes: 6,
  commandEveryMs: 24_000,
  checkEveryMs: 6_000,
  aheadMs: 240_000,
  longestProgramMs: 60_000,
  parseEvery: 50,
  hasOtherNodes: true,
}

const channelFor = (hours: number): HistorySize => ({
  minutes: hours * 60,
  commandEveryMs: 900_000,
  checkEveryMs: 7_000,
  aheadMs: 4 * 3_600_000,
  longestProgramMs: 1_800_000,
  parseEvery: 50,
  hasOtherNodes: false,
})

const decoder = await openOtherDecoder()

parentPort?.on('message', (task: Task) => parentPort?.postMessage(carryOut(task)))

function carryOut({ name, seed, hours }: Task): Outcome {
  const label = (fault: string) => `${name} ${seed}: ${fault}`
  const broken = (error: unknown) => [label((error as Error).message)]
  let played: Played
  try {
    played = playHistory(seed, name === 'history' ? history : channelFor(hours ?? 24), decoder)
  } catch (error) {
    return { counts: { brokenOff: 1 }, faults: broken(error) }
  }
  const { wrongStates, violations, disagreements, controller } = played
  const found = [...wrongStates, ...violations, ...disagreements].slice(0, 20).map(label)
  const counts = {
    ...played.counts,
    played: 1,
    wrongStates: wrongStates.length,
    violations: violations.length,
    disagreements: disagreements.length,
    changes: controller.changes.length,
    ...Object.fromEntries([...controller.carriedOut].map(([kind, count]) => [`command ${kind}`, count])),
  }
  try {
    return { counts: { ...counts, ...checkPlayed(played) }, faults: found }
  } catch (error) {
    return { counts: { ...counts, wrongInTheEnd: 1 }, faults: [...found, ...broken(error)] }
  }
}
