import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { allCores, loadCores, type Measurable } from './measured-server.ts'

const run = promisify(execFile)

const CONNECTIONS = 32

/** The requests: one path, or those of a wrk Lua script. */
export interface Load {
  readonly path: string
  readonly script?: string
  /** Warm-up before each measurement, for servers whose state changes during a pause. */
  readonly warmUpSeconds?: number
}

/** Measurements repeated because requests timed out: on a shared machine, a process can be without a core for seconds. */
const MAX_REPEATED = 3

/** Requests answered per second of processor time of the server. */
export async function requestsPerCpuSecond(server: Measurable, load: Load, seconds: number): Promise<number> {
  const options = { cores: loadCores, threads: 1, connections: CONNECTIONS, seconds }
  const { warmUpSeconds = 0 } = load
  for (let repeated = 0; ; repeated += 1) {
    if (warmUpSeconds > 0) await runWrk(server.url, load, { ...options, seconds: warmUpSeconds })
    const before = server.cpuSeconds()
    const { requests, timedOut } = await runWrk(server.url, load, options)
    if (timedOut === 0) return requests / (server.cpuSeconds() - before)
    if (repeated === MAX_REPEATED) throw new Error(`${timedOut} requests timed out, as in earlier tries`)
  }
}

/** Requests answered per second, with server, database and load on all cores. */
export async function requestsPerSecond(
  server: Measurable,
  load: Load,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<number> {
  const options = { cores: allCores, threads: 2, connections, seconds }
  const { perSecond, timedOut } = await runWrk(server.url, load, options)
  if (timedOut > 0) throw new Error(`${timedOut} requests timed out during the load`)
  return perSecond
}

interface LoadOptions {
  readonly cores: string
  readonly threads: number
  readonly connections: number
  readonly seconds: number
}

async function runWrk(url: string, { path, script }: Load, options: LoadOptions) {
  // wrk accepts whole seconds only.
  const seconds = Math.ceil(options.seconds)
  const how = ['-t', `${options.threads}`, '-c', `${options.connections}`, '-d', `${seconds}s`]
  const withScript = script === undefined ? [] : ['-s', script]
  const { stdout } = await run('taskset', ['-c', options.cores, 'wrk', ...how, ...withScript, url + path])
  const errors = /Socket errors: (.*), timeout (\d+)/.exec(stdout)
  if (/Non-2xx/.test(stdout) || (errors !== null && errors[1] !== 'connect 0, read 0, write 0'))
    throw new Error(`errors during the load:\n${stdout}`)
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    timedOut: Number(errors?.[2] ?? 0),
    perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]),
  }
}
