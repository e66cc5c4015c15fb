import { randomUUID } from 'node:crypto'
import { readApiConfig } from '../app/read-api-config.ts'
import { runApi } from '../app/run-api.ts'

const result = await readApiConfig(process.env)
if (result.kind === 'rejected') {
  console.error(`The API cannot start:\n${result.faults.map((fault) => `  - ${fault}`).join('\n')}`)
  process.exitCode = 2
} else {
  await runApi(result.config, randomUUID())
}
