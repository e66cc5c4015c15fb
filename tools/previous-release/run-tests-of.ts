import { spawn } from 'node:child_process'

export interface TestRun {
  readonly failures: readonly Failure[]
  readonly output: string
}

export interface Failure {
  readonly file: string
  readonly name: string
}

/** Of all tests together: below the limit of a test file, so that a run that hangs is reported with its output. */
const TIMEOUT_MS = 780_000

/** On databases that are cloned from this one. */
export async function runOn(template: Template, folder: string, files: readonly string[]): Promise<TestRun> {
  const args = ['--test', '--test-concurrency=2', '--test-reporter=spec', ...files]
  const env = { TEST_TEMPLATE_URL: template.templateUrl, TEST_SERVICE_URL: template.serviceUrl }
  const { code, output } = await run(folder, args, env)
  // The runner lists its failures once more at its end, and no more than that is read.
  const summary = output.slice(Math.max(0, output.indexOf('✖ failing tests:')))
  const failures = failuresIn(summary)
  if (code !== 0 && failures.length === 0) {
    return { failures: [{ file: '', name: 'the runner' }], output: summary }
  }
  return { failures, output: summary }
}

export interface Template {
  readonly templateUrl: string
  readonly serviceUrl: string
}

/** The names of the tests that fail as the checkout runs them itself, on its own schema. */
export async function findFailingAtHome(folder: string, files: readonly string[]): Promise<string[]> {
  const { code, output } = await run(folder, ['tools/run-tests.ts', ...files], {})
  if (code === 0) return []
  return [...output.matchAll(/^ *✖ (.+?)(?: \([\d.]+ms\))?$/gm)].map(([, name]) => name!)
}

async function run(cwd: string, args: readonly string[], own: NodeJS.ProcessEnv) {
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
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve))
  return { code, output }
}

function failuresIn(summary: string): Failure[] {
  return [...summary.matchAll(/^test at (.+?):\d+:\d+\n✖ (.+?) \([\d.]+ms\)$/gm)].map(([, file, name]) => ({
    file: file!,
    name: name!,
  }))
}
