import { randomUUID } from 'node:crypto'
import { runWorker } from '../app/run-worker.ts'
import { workerSettings } from '../app/worker-settings.ts'
import { readConfig } from '../platform/config/read-config.ts'

const result = readConfig(workerSettings, process.env)
if (result.kind === 'refused') {
  console.error(`The worker cannot start:\n${result.faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exitCode = 2
} else {
  await runWorker(result.config, randomUUID())
}
