import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { compileCache } from '@continuity/dev/compile-cache'
import { projectRoot } from '@continuity/dev/project-root'

export interface Login {
  readonly account_name: string
  readonly email: string
  readonly password: string
}

export interface Result {
  /** Null where it was killed. */
  readonly exitCode: number | null
  readonly output: string
  readonly complaint: string
}

export interface Running {
  readonly result: Promise<Result>
  kill(): void
}

/** Starts the command line tool with these settings. */
export function startTool(
  settings: Readonly<Record<string, string>>,
  words: readonly string[],
  input = '',
): Running {
  const program = join(projectRoot, 'packages/cli/src/continuity.ts')
  const env = { ...compileCache(projectRoot), PATH: process.env['PATH'], ...settings }
  const child = spawn(process.execPath, [program, ...words], { env, timeout: 120_000 })
  child.stdin.end(input)
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve))
  const result = Promise.all([exited, text(child.stdout), text(child.stderr)]).then(
    ([exitCode, output, complaint]) => ({ exitCode, output, complaint }),
  )
  return { result, kill: () => child.kill('SIGKILL') }
}

/** Starts it with the login in the environment. */
export const startContinuity = (url: string, login: Login, ...words: readonly string[]): Running =>
  startTool(
    {
      CONTINUITY_URL: url,
      CONTINUITY_ACCOUNT: login.account_name,
      CONTINUITY_EMAIL: login.email,
      CONTINUITY_PASSWORD: login.password,
    },
    words,
  )

export const continuity = (url: string, login: Login, ...words: readonly string[]): Promise<Result> =>
  startContinuity(url, login, ...words).result
