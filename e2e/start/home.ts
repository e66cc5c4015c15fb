import { once } from 'node:events'
import { chmod, chown, mkdtemp, readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { birthOf, stopLeftBehind } from '@continuity/dev/left-behind'
import { removeHome } from '@continuity/dev/remove-home'
import { findStackFile, type StackRecord } from '@continuity/dev/stack-file'
import type { SystemUser } from '@continuity/dev/system-user'
import { pollUntil } from '@continuity/dev/waiting'
import { type RunningStart, type StartOptions, startIn } from './running-start.ts'

export interface Home {
  readonly path: string
  /** Ends with its scope: a test, so that the next one finds the home unused, or the test file. */
  start(scope: Scope, options?: StartOptions): RunningStart
}

export interface Scope {
  after(clean: () => Promise<void>): void
}

/**
 * An empty home folder that every user may traverse, for one test or for a file.
 *
 * The tests of a file share one where possible: creating a database takes longer than starting it.
 */
export async function aHome(scope: Scope, owner?: SystemUser): Promise<Home> {
  const path = await mkdtemp(join(tmpdir(), 'continuity-start-'))
  await chmod(path, 0o711)
  if (owner) await chown(path, owner.uid, owner.gid)
  const started: RunningStart[] = []
  scope.after(async () => {
    await Promise.all(started.map((running) => running.end()))
    await stopOrphans(path)
    await removeHome(path)
  })
  const start = (scope: Scope, options: StartOptions = {}) => {
    const running = startIn(path, options)
    started.push(running)
    scope.after(() => running.end())
    return running
  }
  return { path, start }
}

/** Resolves while the first start in a home creates its database. */
export async function untilDatabaseIsBeingCreated(home: Home): Promise<void> {
  const isBeingCreated = async () =>
    (await readdir(home.path)).some((name) => name.startsWith('postgres.new-'))
  const seen = await pollUntil(async () => (await isBeingCreated()) || undefined, 20_000)
  if (!seen) throw new Error('no database was created within 20 s')
}

/** A test that kills a start and then fails must not leave its servers running. */
async function stopOrphans(home: string): Promise<void> {
  const record = await findStackFile(home)
  for (const { pid, born } of record?.processes ?? []) {
    const isStillIt = async () => (await birthOf(pid)) === born
    await stopLeftBehind({ pid, isStillIt, stopSignal: 'SIGINT', forceSignal: 'SIGQUIT', graceMs: 5_000 })
  }
}

/** Processes and ports of a stack that are still open, as text. */
export async function listRemains(record: StackRecord): Promise<string[]> {
  const running = await Promise.all(
    record.processes.map(async ({ name, pid, born }) =>
      (await birthOf(pid)) === born ? [`${name} runs as ${pid}`] : [],
    ),
  )
  const addresses = [record.base_url, record.playout_url, record.database_url, record.nats_url].filter(
    (url) => url !== null,
  )
  const listening = await Promise.all(
    addresses.map(async (url) => ((await accepts(new URL(url))) ? [`${url} accepts`] : [])),
  )
  return [...running, ...listening].flat()
}

async function accepts({ hostname, port }: URL): Promise<boolean> {
  const socket = connect({ host: hostname, port: Number(port) })
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(2_000) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
