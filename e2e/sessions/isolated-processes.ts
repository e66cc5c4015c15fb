import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { aLink } from '@continuity/dev/a-link'
import { startAnotherApi } from '../another-api.ts'
import { isRejected, type Refreshed, type Reuse, reuse } from './reuse.ts'
import { readStatus, readUntil, refresh } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'

/** Twenty of them are spread over the five seconds between two reads of the table. */
const APART_MS = 250

/** Reuses old credentials while NATS is stopped: the other process can only find it in the table. */
export async function reuseWithoutNats(
  it: SessionSystem,
  sessions: readonly Refreshed[],
): Promise<{ readonly reuses: readonly Reuse[]; readonly isStopped: boolean }> {
  const [first, second] = it.apis
  process.kill(it.natsPid, 'SIGSTOP')
  try {
    const reuses = await Promise.all(
      sessions.map(async (session, i) => {
        // Spreads the reuses over time.
        await sleep(i * APART_MS)
        return reuse(session, first, [first, second])
      }),
    )
    return { reuses, isStopped: await isStopped(it.natsPid) }
  } finally {
    process.kill(it.natsPid, 'SIGCONT')
  }
}

/** proc(5): the state comes after the name in brackets. */
async function isStopped(pid: number): Promise<boolean> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
}

export interface CutOff {
  /** Sessions that the process still accepted when its connection was restored. */
  readonly missed: number
  /** From the restored connection until all of them were rejected. */
  readonly missedKnownMs: number
  /** Reuses after it had reconnected. */
  readonly afterwards: readonly Reuse[]
}

/** Reuses old credentials while a third process is cut off from NATS, and more after it is reconnected. */
export async function reuseWhileCutOff(
  it: SessionSystem,
  missing: readonly Refreshed[],
  later: readonly Refreshed[],
): Promise<CutOff> {
  await using opened = new AsyncDisposableStack()
  const link = opened.use(await aLink(it.system.natsUrl))
  const { settings } = it
  const { baseUrl: third } = opened.use(
    await startAnotherApi({ ...it.system, natsUrl: link.url }, { name: 'third', settings }),
  )
  await link.goDown()
  await Promise.all(missing.map(({ old }) => refresh(it.apis[0], old)))
  const accepted = await Promise.all(
    missing.map(async ({ successor }) => !isRejected(await readStatus(third, successor))),
  )

  const startMs = performance.now()
  await link.restore()
  const missedKnownMs = await Promise.all(
    missing.map(({ successor }) => readUntil(third, successor, isRejected)),
  ).then(
    () => performance.now() - startMs,
    () => Number.POSITIVE_INFINITY,
  )

  await untilNatsIsBack(third)
  const afterwards: Reuse[] = []
  for (const session of later) afterwards.push(await reuse(session, it.apis[1], [third]))
  return { missed: accepted.filter(Boolean).length, missedKnownMs, afterwards }
}

async function untilNatsIsBack(api: string): Promise<void> {
  const lateMs = performance.now() + 30_000
  for (;;) {
    const answer = await fetch(`${api}/readyz`)
    const { checks } = (await answer.json()) as { checks: { nats: { ok: boolean } } }
    if (checks.nats.ok) return
    if (performance.now() > lateMs) throw new Error('The process does not reconnect to NATS.')
  }
}
