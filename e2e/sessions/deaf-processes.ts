import { setTimeout as sleep } from 'node:timers/promises'
import { aLink } from '../../packages/server/src/platform/testing/a-link.ts'
import { startAnotherApi } from '../another-api.ts'
import { isRefused, type Refreshed, type Reuse, reuse } from './reuse.ts'
import { readStatus, readUntil, refresh } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'

/** Twenty of them are spread over the five seconds between two looks into the table. */
const APART_MS = 250

/** Reuses old credentials while NATS stands still: the other process has only the table to learn it from. */
export async function reuseWithoutNats(it: SessionSystem, sessions: readonly Refreshed[]): Promise<Reuse[]> {
  const [first, second] = it.apis
  process.kill(it.natsPid, 'SIGSTOP')
  try {
    return await Promise.all(
      sessions.map(async (session, i) => {
        // This is not a wait for something: it is what is tried.
        await sleep(i * APART_MS)
        return reuse(session, first, [first, second])
      }),
    )
  } finally {
    process.kill(it.natsPid, 'SIGCONT')
  }
}

export interface CutOff {
  /** Sessions that the process still let in when its line was mended. */
  readonly missed: number
  /** From the mended line until none of them was let in. */
  readonly missedKnownMs: number
  /** As ever, once it is back. */
  readonly afterwards: readonly Reuse[]
}

/** Reuses old credentials while a third process is cut off from NATS, mends its line, and reuses some more. */
export async function reuseWhileCutOff(
  it: SessionSystem,
  missing: readonly Refreshed[],
  hearing: readonly Refreshed[],
): Promise<CutOff> {
  await using opened = new AsyncDisposableStack()
  const line = opened.use(await aLink(it.system.natsUrl))
  const { settings } = it
  const { baseUrl: third } = opened.use(
    await startAnotherApi({ ...it.system, natsUrl: line.url }, { name: 'third', settings }),
  )
  await line.refuse()
  await Promise.all(missing.map(({ old }) => refresh(it.apis[0], old)))
  const letIn = await Promise.all(
    missing.map(async ({ successor }) => !isRefused(await readStatus(third, successor))),
  )

  const startMs = performance.now()
  await line.restore()
  await Promise.all(missing.map(({ successor }) => readUntil(third, successor, isRefused)))
  const missedKnownMs = performance.now() - startMs

  await untilNatsIsBack(third)
  const afterwards: Reuse[] = []
  for (const session of hearing) afterwards.push(await reuse(session, it.apis[1], [third]))
  return { missed: letIn.filter((isIn) => isIn).length, missedKnownMs, afterwards }
}

async function untilNatsIsBack(api: string): Promise<void> {
  const lateMs = performance.now() + 30_000
  for (;;) {
    const answer = await fetch(`${api}/readyz`)
    const { checks } = (await answer.json()) as { checks: { nats: { ok: boolean } } }
    if (checks.nats.ok) return
    if (performance.now() > lateMs) throw new Error('The process does not find NATS again.')
  }
}
