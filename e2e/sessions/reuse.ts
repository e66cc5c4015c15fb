import { median } from '../../tools/figures/figures.ts'
import { openSessions } from './open-sessions.ts'
import { readStatus, readUntil, refresh, requireSession, type Session } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'
import { severalAtOnce } from './several-at-once.ts'

/** As documented; not read from the code. */
const GRACE_MS = 10_000

/** A session whose first refresh credential was replaced. */
export interface Refreshed {
  readonly old: Session
  readonly successor: Session
}

/** All refreshed at one time: the clock is stopped from here on. */
export async function openRefreshed(it: SessionSystem, count: number): Promise<Refreshed[]> {
  const sessions = await openSessions(it, count)
  await it.clock.steer({ kind: 'rate', rate: 0 })
  return severalAtOnce(8, sessions, async (old, i) => ({
    old,
    successor: requireSession(await refresh(it.apis[i % 2]!, old)),
  }))
}

/** Presents the old credentials in the last millisecond of their grace; counts those that gave the same successor. */
export async function presentInGrace(it: SessionSystem, sessions: readonly Refreshed[]): Promise<number> {
  await it.clock.steer({ kind: 'advance', byMs: GRACE_MS - 1 })
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
  /** The status for the valid refresh credential after that. */
  readonly successorStatus: number
}

/** Presents an old credential, and measures when each process rejects the session. */
export async function reuse(
  { old, successor }: Refreshed,
  presentedTo: string,
  watched: readonly string[],
): Promise<Reuse> {
  const { status } = await refresh(presentedTo, old)
  const startMs = performance.now()
  const knownMs = await Promise.all(
    watched.map(async (api) => {
      const reading = [old, successor].map((session) => readUntil(api, session, isRejected))
      return Promise.all(reading).then(
        () => performance.now() - startMs,
        () => Number.POSITIVE_INFINITY,
      )
    }),
  )
  const { status: successorStatus } = await refresh(watched.at(-1)!, successor)
  return { status, knownMs, successorStatus }
}

export const isRejected = (status: number): boolean => status === 401

/** Reuses one after another, with alternating processes. Stops at the first that a process never rejects. */
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

/** The median time of a read on this machine, with an unaffected session. */
export async function timeReads({ apis }: SessionSystem, good: Session): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < REFERENCE_READS; i += 1) {
    const startMs = performance.now()
    await readStatus(apis[i % 2]!, good)
    times.push(performance.now() - startMs)
  }
  return median(times)
}
