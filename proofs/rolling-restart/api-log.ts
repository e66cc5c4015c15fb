import { readFile } from 'node:fs/promises'
import type { RunningApi } from './api-pair.ts'
import { isRequestOfLoad } from './load.ts'

export interface ApiLog {
  /** The ids of the load's POSTs that the process answered, once for each answer. */
  readonly posts: readonly string[]
  /** Requests of the load that the process answered. */
  readonly answered: number
  readonly answeredWhileDraining: number
  /** The drain ended by closing connections that were still in use. */
  readonly hasCutConnections: boolean
}

interface Entry {
  readonly msg: string
  readonly method?: string
  readonly request_id?: string
}

/** The requests in the log of a process that has exited. Its next start moves the log away. */
export async function readApiLog({ child }: RunningApi): Promise<ApiLog> {
  const lines = (await readFile(child.logFile, 'utf8')).split('\n')
  const entries = lines.filter((line) => line.startsWith('{')).map(parseEntry)
  const drainIndex = entries.findIndex(({ msg }) => msg === 'draining')
  return {
    posts: entries.filter(({ method }) => method === 'POST').flatMap(idOfLoad),
    answered: entries.flatMap(idOfLoad).length,
    hasCutConnections: entries.some(({ msg }) => msg.includes('drain timed out')),
    answeredWhileDraining: drainIndex === -1 ? 0 : entries.slice(drainIndex).flatMap(idOfLoad).length,
  }
}

function parseEntry(line: string): Entry {
  const entry: Entry = JSON.parse(line)
  return entry
}

function idOfLoad({ request_id: id }: Entry): string[] {
  return id !== undefined && isRequestOfLoad(id) ? [id] : []
}
