import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { loadCores, type MeasuredServer } from './measured-server.ts'

const run = promisify(execFile)

const CONNECTIONS = '32'

/** Requests answered for each second of processor time that the server spent on them. */
export async function requestsPerCpuSecond(
  server: MeasuredServer,
  path: string,
  seconds: number,
): Promise<number> {
  const before = server.cpuSeconds()
  const args = ['-c', loadCores, 'wrk', '-t', '1', '-c', CONNECTIONS, '-d', `${seconds}s`, server.url + path]
  const { stdout } = await run('taskset', args)
  const requests = Number(/(\d+) requests in/.exec(stdout)?.[1])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the load met errors:\n${stdout}`)
  return requests / (server.cpuSeconds() - before)
}
