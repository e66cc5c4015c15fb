import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

export interface PgbenchScript {
  /** A pgbench script. */
  readonly path: string
  /** Values of the script's `:name` variables. */
  readonly values: Readonly<Record<string, string>>
}

export interface PgbenchOptions {
  readonly binDir: string
  readonly url: string
  readonly script: PgbenchScript
  readonly clients: number
  readonly seconds: number
}

/** The transactions per second that PostgreSQL achieves with pgbench. */
export async function transactionsPerSecond(options: PgbenchOptions): Promise<number> {
  const { hostname, port, username, password, pathname } = new URL(options.url)
  // pgbench accepts whole seconds only.
  const seconds = Math.ceil(options.seconds)
  const how = ['-n', '-M', 'prepared', '-c', `${options.clients}`, '-j', '2', '-T', `${seconds}`]
  const values = Object.entries(options.script.values).flatMap(([name, value]) => ['-D', `${name}=${value}`])
  const where = ['-h', hostname, '-p', port, '-U', username, pathname.slice(1)]
  const { stdout } = await run(
    join(options.binDir, 'pgbench'),
    [...how, ...values, '-f', options.script.path, ...where],
    {
      env: { PGPASSWORD: password },
    },
  )
  const rate = Number(/^tps = ([\d.]+)/m.exec(stdout)?.[1])
  if (!(rate > 0) || !/number of failed transactions: 0 /.test(stdout))
    throw new Error(`unexpected pgbench output:\n${stdout}`)
  return rate
}

export async function writeScript(
  folder: string,
  name: string,
  lines: readonly string[],
  values: PgbenchScript['values'] = {},
): Promise<PgbenchScript> {
  const path = join(folder, `${name}.pgbench`)
  await writeFile(path, `${lines.join('\n')}\n`)
  return { path, values }
}
