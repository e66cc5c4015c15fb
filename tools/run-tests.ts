import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { projectRoot } from './house/source-files.ts'
import { startTestPostgres } from './test-postgres.ts'

/**
 * `npm test` runs everything; `npm test -- PATH…` runs the named files.
 * The summary of node's own runner stands last.
 *
 * Files named `.db.test.ts` share one PostgreSQL, in which each has a database of its own.
 */
const given = process.argv.slice(2)
const patterns = given.length > 0 ? given : ['{packages,tools,e2e,bench}/**/*.test.ts']
const needsDatabase = globSync(patterns, { cwd: projectRoot }).some((file) => file.endsWith('.db.test.ts'))
await using postgres = needsDatabase ? await startTestPostgres() : undefined
const env =
  postgres === undefined
    ? {}
    : { TEST_TEMPLATE_URL: postgres.templateUrl, TEST_SERVICE_URL: postgres.serviceUrl }

const child = spawn(
  process.execPath,
  ['--test', '--test-concurrency=2', '--test-timeout=300000', '--test-reporter=spec', ...patterns],
  { cwd: projectRoot, stdio: 'inherit', env: { ...process.env, ...env } },
)
// Ctrl-C reaches the tests by themselves; this process still has its server to stop.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal))
process.exitCode = await new Promise<number>((resolve) => child.on('close', (code) => resolve(code ?? 1)))
