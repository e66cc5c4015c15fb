import { randomUUID } from 'node:crypto'
import { readMediaConfig } from '../app/read-media-config.ts'
import { receiverSettings } from '../app/receiver-settings.ts'
import { runReceiver } from '../app/run-receiver.ts'

const result = readMediaConfig(receiverSettings, process.env)
if (result.kind === 'rejected') {
  console.error(`The receiver cannot start:\n${result.faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exitCode = 2
} else {
  await runReceiver(result.config, randomUUID())
}
