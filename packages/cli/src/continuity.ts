#!/usr/bin/env node
import { showConfig } from './show-config.ts'

const usage = `Usage: continuity COMMAND

  config [--json]   the settings of each process: what they are for and what they are now`

const [command, ...args] = process.argv.slice(2)
switch (command) {
  case 'config':
    console.log(showConfig(process.env, { asJson: args.includes('--json') }))
    break
  case undefined:
  case 'help':
  case '--help':
    console.log(usage)
    break
  default:
    console.error(`There is no command "${command}".\n\n${usage}`)
    process.exitCode = 2
}
