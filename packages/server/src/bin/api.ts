import { randomUUID } from 'node:crypto'
import { apiSettings } from '../app/api-settings.ts'
import { runApi } from '../app/run-api.ts'
import { readConfig } from '../platform/config/read-config.ts'

const result = readConfig(apiSettings, process.env)
if (result.kind === 'refused') {
  console.error(`The API cannot start:\n${result.faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exitCode = 2
} else {
  await runApi(result.config, randomUUID())
}
