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

/** Requests answered per second of processor time of the server. */
export async function requestsPerCpuSecond(server: Measurable, load: Load, seconds: number): Promise<number> {
  const options = { cores: loadCores, threads: 1, connections: CONNECTIONS, seconds }
  const { warmUpSeconds = 0 } = load
  if (warmUpSeconds > 0) await runWrk(server.url, load, { ...options, seconds: warmUpSeconds })
  const before = server.cpuSeconds()
  const { requests } = await runWrk(server.url, load, options)
  return requests / (server.cpuSeconds() - before)
}

/** Requests answered per second, with server, database and load on all cores. */
export async function requestsPerSecond(
  server: Measurable,
  load: Load,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<number> {
  const options = { cores: allCores, threads: 2, connections, seconds }
  return (await runWrk(server.url, load, options)).perSecond
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
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`errors during the load:\n${stdout}`)
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]),
  }
}
