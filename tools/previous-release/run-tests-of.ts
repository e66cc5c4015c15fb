import { spawn } from 'node:child_process'

export interface TestRun {
  readonly failures: readonly Failure[]
  readonly output: string
}

export interface Failure {
  readonly file: string
  readonly name: string
}

/** Of all tests together: those who wait for us give up after five minutes. */
const TIMEOUT_MS = 280_000

/** On databases that are cloned from this one. */
export function runOn(template: Template, folder: string, files: readonly string[]): Promise<TestRun> {
  const args = ['--test', '--test-concurrency=2', '--test-reporter=spec', ...files]
  return run(folder, args, { TEST_TEMPLATE_URL: template.templateUrl, TEST_SERVICE_URL: template.serviceUrl })
}

export interface Template {
  readonly templateUrl: string
  readonly serviceUrl: string
}

/** As the checkout runs them itself, on its own schema. */
export function runAtHome(folder: string, files: readonly string[]): Promise<TestRun> {
  return run(folder, ['tools/run-tests.ts', ...files], {})
}

async function run(cwd: string, args: readonly string[], own: NodeJS.ProcessEnv): Promise<TestRun> {
  // A test runner inside of a test runner would report to the outer one, and use its database.
  const { NODE_TEST_CONTEXT: _, TEST_TEMPLATE_URL: __, TEST_SERVICE_URL: ___, ...outer } = process.env
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...outer, ...own },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const code = await new Promise((resolve) => child.on('close', resolve))
  // The runner tells its failures once more at its end, and no more than that is read.
  const told = output.slice(Math.max(0, output.indexOf('✖ failing tests:')))
  const failures = failuresIn(told)
  if (code !== 0 && failures.length === 0)
    return { failures: [{ file: '', name: 'the runner' }], output: told }
  return { failures, output: told }
}

function failuresIn(told: string): Failure[] {
  return [...told.matchAll(/^test at (.+?):\d+:\d+\n✖ (.+?) \([\d.]+ms\)$/gm)].map(([, file, name]) => ({
    file: file!,
    name: name!,
  }))
}
