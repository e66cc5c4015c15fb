import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { allCores, loadCores, type Measurable } from './measured-server.ts'

const run = promisify(execFile)

const CONNECTIONS = 32

/** What is asked for: one path, or what a Lua script of wrk's makes of it. */
export interface Load {
  readonly path: string
  readonly script?: string
  /** How long it is asked for before anything is measured, where a server is another after a pause. */
  readonly leadInSeconds?: number
}

/** Requests answered for each second of processor time that the server spent on them. */
export async function requestsPerCpuSecond(server: Measurable, load: Load, seconds: number): Promise<number> {
  const place = { cores: loadCores, threads: 1, connections: CONNECTIONS, seconds }
  const { leadInSeconds = 0 } = load
  if (leadInSeconds > 0) await runWrk(server.url, load, { ...place, seconds: leadInSeconds })
  const before = server.cpuSeconds()
  const { requests } = await runWrk(server.url, load, place)
  return requests / (server.cpuSeconds() - before)
}

/** Requests answered in a second, where server, database and load share all cores. */
export async function requestsPerSecond(
  server: Measurable,
  load: Load,
  { connections, seconds }: { readonly connections: number; readonly seconds: number },
): Promise<number> {
  const place = { cores: allCores, threads: 2, connections, seconds }
  return (await runWrk(server.url, load, place)).perSecond
}

interface LoadPlace {
  readonly cores: string
  readonly threads: number
  readonly connections: number
  readonly seconds: number
}

async function runWrk(url: string, { path, script }: Load, place: LoadPlace) {
  // It measures whole seconds only.
  const seconds = Math.ceil(place.seconds)
  const how = ['-t', `${place.threads}`, '-c', `${place.connections}`, '-d', `${seconds}s`]
  const withScript = script === undefined ? [] : ['-s', script]
  const { stdout } = await run('taskset', ['-c', place.cores, 'wrk', ...how, ...withScript, url + path])
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`the load met errors:\n${stdout}`)
  return {
    requests: Number(/(\d+) requests in/.exec(stdout)?.[1]),
    perSecond: Number(/Requests\/sec:\s*([\d.]+)/.exec(stdout)?.[1]),
  }
}
