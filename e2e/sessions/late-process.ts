import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startApi } from '@continuity/dev/api-process'
import { waitForNode } from '@continuity/dev/node-process'
import { settlesWithin } from '@continuity/dev/waiting'
import { findLastingPorts } from '../rolling-restart/lasting-ports.ts'
import { readStatus, type Session } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'

export interface LateProcess {
  /** All answers that ended credentials got, from the first one on, by status. */
  readonly statuses: ReadonlyMap<number, number>
  /** The status for a credential whose session has not ended. */
  readonly goodStatus: number
}

/**
 * Starts a process after the sessions have ended, and sends requests with their
 * credentials from before it listens until it is ready, and once more each.
 */
export async function callLateProcess(
  { system, settings }: SessionSystem,
  ended: readonly Session[],
  good: Session,
): Promise<LateProcess> {
  const home = join(system.home, 'late')
  await mkdir(join(home, 'logs'), { recursive: true })
  const [port] = await findLastingPorts()
  const { databaseUrl, natsUrl, credentialKeysFile } = system
  const child = await startApi({ home, port, databaseUrl, natsUrl, credentialKeysFile, settings })
  await using opened = new AsyncDisposableStack()
  opened.defer(() => child.stop())
  const api = `http://127.0.0.1:${port}`
  const ready = waitForNode(child)

  const statuses = new Map<number, number>()
  const call = async (session: Session) => {
    // Undefined while the process does not listen.
    const status = await readStatus(api, session).catch(() => undefined)
    if (status !== undefined) statuses.set(status, (statuses.get(status) ?? 0) + 1)
  }
  const callAll = async () => {
    for (const session of ended) await call(session)
  }
  while (!(await settlesWithin(ready, 0))) await callAll()
  await ready
  await callAll()
  return { statuses, goodStatus: await readStatus(api, good) }
}
