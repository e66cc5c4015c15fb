import type { JobSystem } from './job-system.ts'
import { createMessageLog, startWorkerProcess } from './worker-process.ts'

/** Enqueues jobs in transactions of which every other is rolled back. Returns how many of each kind were done. */
export async function rollBack(
  system: JobSystem,
  opened: AsyncDisposableStack,
  times: number,
): Promise<{ kept: number; rolledBack: number }> {
  const messages = createMessageLog()
  await startWorkerProcess(opened, messages, { databaseUrl: system.databaseUrl, job: 'keep' })
  for (let i = 0; i < times; i += 1) {
    await system.enqueue('keep', `rolled back ${i}`, 'rollback')
    await system.enqueue('keep', `kept ${i}`)
  }
  const done = { kept: 0, rolledBack: 0 }
  for (let i = 0; i < times; i += 1) {
    // Each rolled back job came before the committed one: if it existed, it would have run by now.
    await messages.find(({ kind, effect }) => kind === 'finished' && effect === `kept ${i}`)
    done.kept += await system.timesOf(`kept ${i}`)
    done.rolledBack += await system.timesOf(`rolled back ${i}`)
    done.rolledBack += (await system.statesOf(`rolled back ${i}`)).length
  }
  return done
}
