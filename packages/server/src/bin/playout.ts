import { randomUUID } from 'node:crypto'
import { playoutSettings } from '../app/playout-settings.ts'
import { readMediaConfig } from '../app/read-media-config.ts'
import { runPlayout } from '../app/run-playout.ts'

const result = readMediaConfig(playoutSettings, process.env)
if (result.kind === 'rejected') {
  console.error(`The playout node cannot start:\n${result.faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exitCode = 2
} else {
  await runPlayout(result.config, randomUUID())
}
