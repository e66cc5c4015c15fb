import { spawn } from 'node:child_process'
import { projectRoot } from './house/source-files.ts'

/**
 * `npm test` runs everything; `npm test -- PATH…` runs the named files.
 * The summary of node's own runner stands last.
 */
const given = process.argv.slice(2)
const patterns = given.length > 0 ? given : ['{packages,tools,e2e,bench}/**/*.test.ts']
const child = spawn(
  process.execPath,
  ['--test', '--test-concurrency=2', '--test-timeout=300000', '--test-reporter=spec', ...patterns],
  { cwd: projectRoot, stdio: 'inherit' },
)
child.on('close', (code) => {
  process.exitCode = code ?? 1
})
