import type { JobSystem } from './job-system.ts'
import { listenToWorkers, startWorkerProcess } from './worker-process.ts'

/** Leaves jobs in transactions of which every other is rolled back. Gives how many of each kind were done. */
export async function rollBack(
  system: JobSystem,
  opened: AsyncDisposableStack,
  times: number,
): Promise<{ kept: number; rolledBack: number }> {
  const words = listenToWorkers()
  await startWorkerProcess(opened, words, { databaseUrl: system.databaseUrl, job: 'keep' })
  for (let i = 0; i < times; i += 1) {
    await system.leave('keep', `rolled back ${i}`, 'rollback')
    await system.leave('keep', `kept ${i}`)
  }
  const done = { kept: 0, rolledBack: 0 }
  for (let i = 0; i < times; i += 1) {
    // Each rolled back one came before its neighbour: where that one is done, it would have been found too.
    await words.find(({ word, effect }) => word === 'finished' && effect === `kept ${i}`)
    done.kept += await system.timesOf(`kept ${i}`)
    done.rolledBack += await system.timesOf(`rolled back ${i}`)
    done.rolledBack += (await system.statesOf(`rolled back ${i}`)).length
  }
  return done
}
