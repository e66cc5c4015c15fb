import { randomUUID } from 'node:crypto'
import { readMediaConfig } from '../app/read-media-config.ts'
import { runWorker } from '../app/run-worker.ts'
import { workerSettings } from '../app/worker-settings.ts'

const result = readMediaConfig(workerSettings, process.env)
if (result.kind === 'refused') {
  console.error(`The worker cannot start:\n${result.faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exitCode = 2
} else {
  await runWorker(result.config, randomUUID())
}
