import { readdir, readFile } from 'node:fs/promises'
import { aLink, type Link } from '@continuity/dev/a-link'
import { pollUntil } from '@continuity/dev/waiting'
import pg from 'pg'
import type { FaultSystem } from './fault-system.ts'

/** Longer than a start with WAL to replay. */
const START_MS = 60_000

/** A fault of the database. */
export interface Fault {
  readonly name: string
  /** The address of the database for the process under test. */
  readonly databaseUrl: string
  begin(): Promise<void>
  /** Returns the time from which on the database was available again. */
  end(): Promise<number>
}

/** The server shuts down cleanly, as for a minor update, and is started again. */
export const aRestart = (it: FaultSystem): Fault => restartBy(it, 'restarted', 'SIGINT')

/** The server exits at once, as in a crash, and has WAL to replay. */
export const aCrash = (it: FaultSystem): Fault => restartBy(it, 'crashed', 'SIGQUIT')

function restartBy(it: FaultSystem, name: string, signal: NodeJS.Signals): Fault {
  return {
    name,
    databaseUrl: it.databaseUrl,
    async begin() {
      process.kill(it.postgres().pid, signal)
      await it.postgres().exited
    },
    async end() {
      const starting = it.startPostgresAgain()
      const backMs = await pollUntil(() => findAnswerMs(it.databaseUrl), START_MS)
      await starting
      return backMs ?? performance.now()
    },
  }
}

/** The server and all its processes are stopped, as on an overloaded machine. */
export function aPause(it: FaultSystem): Fault {
  let stopped: number[] = []
  return {
    name: 'paused',
    databaseUrl: it.databaseUrl,
    async begin() {
      const { pid } = it.postgres()
      // First the postmaster, so that there are no new backends.
      process.kill(pid, 'SIGSTOP')
      stopped = [pid, ...(await childrenOf(pid))]
      for (const each of stopped) process.kill(each, 'SIGSTOP')
    },
    async end() {
      for (const each of stopped.toReversed()) process.kill(each, 'SIGCONT')
      return performance.now()
    },
  }
}

/** All packets between process and server are dropped; neither side is notified. */
export async function aSilence(it: FaultSystem, opened: AsyncDisposableStack): Promise<Fault> {
  const link = opened.use(await aLink(it.databaseUrl))
  return {
    name: 'silent',
    databaseUrl: link.url,
    begin: async () => link.silence(),
    end: () => restore(link),
  }
}

/** All connections break, and new connections are refused. */
export async function aClosedPort(it: FaultSystem, opened: AsyncDisposableStack): Promise<Fault> {
  const link = opened.use(await aLink(it.databaseUrl, it.linkPort))
  return {
    name: 'port_closed',
    databaseUrl: link.url,
    begin: () => link.goDown(),
    end: () => restore(link),
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(
    pids.map(async (pid) => {
      // proc(5): after the name in brackets come the state and the parent. A process may have gone meanwhile.
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
      return { pid: Number(pid), parent: Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) }
    }),
  )
  return stats.filter((stat) => stat.parent === parent).map(({ pid }) => pid)
}

async function restore(link: Link): Promise<number> {
  await link.restore()
  return performance.now()
}

/** Whether a client of our own can connect to the database at the address that the process uses. */
export const isReachable = async (url: string, patienceMs: number): Promise<boolean> =>
  (await findAnswerMs(url, patienceMs)) !== undefined

/** When a new connection of our own to that address was ready. */
export async function findAnswerMs(url: string, timeoutMs = 0): Promise<number | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: timeoutMs })
  // An error without a listener would end the process.
  client.on('error', () => {})
  let isConnected = false
  try {
    await client.connect()
    isConnected = true
    return performance.now()
  } catch {
    return undefined
  } finally {
    // It waits for the server to close the connection, which a stopped one does not.
    if (isConnected) await client.end()
  }
}
