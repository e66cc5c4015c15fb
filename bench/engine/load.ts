import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { loadCores, type MeasuredServer } from './measured-server.ts'

const run = promisify(execFile)

const CONNECTIONS = '32'

/** What is asked for: one path, or what a Lua script of wrk's makes of it. */
export interface Load {
  readonly path: string
  readonly script?: string
}

/** Requests answered for each second of processor time that the server spent on them. */
export async function requestsPerCpuSecond(
  server: MeasuredServer,
  { path, script }: Load,
  seconds: number,
): Promise<number> {
  const before = server.cpuSeconds()
  const load = [
    '-t',
    '1',
    '-c',
    CONNECTIONS,
    '-d',
    `${seconds}s`,
    ...(script === undefined ? [] : ['-s', script]),
  ]
  const { stdout } = await run('taskset', ['-c', loadCores, 'wrk', ...load, server.url + path])
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the load met errors:\n${stdout}`)
  return requests / (server.cpuSeconds() - before)
}
