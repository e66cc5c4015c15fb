import { median } from '../../tools/figures/figures.ts'
import { openSessions } from './open-sessions.ts'
import { readStatus, readUntil, refresh, requireSession, type Session } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'
import { severalAtOnce } from './several-at-once.ts'

/** As promised, whatever the code says. */
const GRACE_MS = 10_000

/** A session whose first refresh credential was replaced. */
export interface Refreshed {
  readonly old: Session
  readonly successor: Session
}

/** Refreshed all at one moment: the clock stands still from here on. */
export async function openRefreshed(it: SessionSystem, count: number): Promise<Refreshed[]> {
  const sessions = await openSessions(it, count)
  await it.clock.order({ kind: 'rate', rate: 0 })
  return severalAtOnce(8, sessions, async (old, i) => ({
    old,
    successor: requireSession(await refresh(it.apis[i % 2]!, old)),
  }))
}

/** Presents the old credentials in the last millisecond of their grace; counts those that gave the same successor. */
export async function presentInGrace(it: SessionSystem, sessions: readonly Refreshed[]): Promise<number> {
  await it.clock.order({ kind: 'advance', byMs: GRACE_MS - 1 })
  const same = await severalAtOnce(8, sessions, async ({ old, successor }, i) => {
    const { session } = await refresh(it.apis[(i + 1) % 2]!, old)
    return session !== undefined && JSON.stringify(session.token) === JSON.stringify(successor.token)
  })
  return same.filter((isSame) => isSame).length
}

export interface Reuse {
  readonly status: number
  /** From that answer until both access credentials of the session were rejected, on each process; Infinity for never. */
  readonly knownMs: readonly number[]
  /** What the good refresh credential is answered after that. */
  readonly successorStatus: number
}

/** Presents an old credential, and watches the end of its session arrive at the processes. */
export async function reuse(
  { old, successor }: Refreshed,
  presentedTo: string,
  watched: readonly string[],
): Promise<Reuse> {
  const { status } = await refresh(presentedTo, old)
  const startMs = performance.now()
  const knownMs = await Promise.all(
    watched.map(async (api) => {
      const reading = [old, successor].map((session) => readUntil(api, session, isRefused))
      return Promise.all(reading).then(
        () => performance.now() - startMs,
        () => Number.POSITIVE_INFINITY,
      )
    }),
  )
  const { status: successorStatus } = await refresh(watched.at(-1)!, successor)
  return { status, knownMs, successorStatus }
}

export const isRefused = (status: number): boolean => status === 401

/** Reuses each in turn, presented to one process and then to the other. One that is never known is the last. */
export async function reuseAll(it: SessionSystem, sessions: readonly Refreshed[]): Promise<Reuse[]> {
  const reuses: Reuse[] = []
  for (const [i, session] of sessions.entries()) {
    const last = await reuse(session, it.apis[i % 2]!, it.apis)
    reuses.push(last)
    if (last.knownMs.includes(Number.POSITIVE_INFINITY)) break
  }
  return reuses
}

const REFERENCE_READS = 20

/** What a read takes on this machine at this time, with a session that nothing happens to: the median of some. */
export async function timeReads({ apis }: SessionSystem, good: Session): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < REFERENCE_READS; i += 1) {
    const startMs = performance.now()
    await readStatus(apis[i % 2]!, good)
    times.push(performance.now() - startMs)
  }
  return median(times)
}
