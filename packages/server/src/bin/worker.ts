import { randomUUID } from 'node:crypto'
import { readWorkerConfig } from '../app/read-worker-config.ts'
import { runWorker } from '../app/run-worker.ts'

const result = await readWorkerConfig(process.env)
if (result.kind === 'rejected') {
  console.error(`The worker cannot start:\n${result.faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exitCode = 2
} else {
  await runWorker(result.config, randomUUID())
}
