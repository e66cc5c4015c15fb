import { freshAddress } from './fresh-address.ts'
import { newPassword } from './login-people.ts'
import { type Login, logIn, type SessionAnswer } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'

/** More than are looked at. */
const WRONG_AT_HOME = 8

/** The person mistypes at home, one time after the other. */
export async function mistypeAtHome(
  { apis }: SessionSystem,
  login: Login,
  home: string,
): Promise<{ readonly answers: readonly SessionAnswer[]; readonly passwords: readonly string[] }> {
  const passwords = Array.from({ length: WRONG_AT_HOME }, newPassword)
  const answers: SessionAnswer[] = []
  for (const [i, password] of passwords.entries()) {
    answers.push(await logIn(apis[i % 2]!, { ...login, password }, home))
  }
  return { answers, passwords }
}

export interface Lockout {
  /** What the right password gets from a new address: at once, a second before its time, and then. */
  readonly statuses: readonly [number, number, number]
  readonly retryAfterSeconds: number
  /** What it gets at home 15 minutes after the last wrong one. */
  readonly homeStatus: number
}

/** Waits, on the controlled clock, for as long as the answer to a rejected login states. */
export async function waitOut(it: SessionSystem, login: Login, home: string): Promise<Lockout> {
  const { apis, clock } = it
  const advance = (seconds: number) => clock.order({ kind: 'advance', byMs: seconds * 1_000 })
  await clock.order({ kind: 'rate', rate: 0 })
  const refused = await logIn(apis[0], login, freshAddress())
  // Where it is let in at once there is nothing to wait for.
  const retryAfterSeconds = Math.max(1, Number(refused.retryAfter))
  await advance(retryAfterSeconds - 1)
  const early = await logIn(apis[1], login, freshAddress())
  await advance(1)
  const inTime = await logIn(apis[0], login, freshAddress())
  await advance(900)
  const atHome = await logIn(apis[1], login, home)
  return {
    statuses: [refused.status, early.status, inTime.status],
    retryAfterSeconds,
    homeStatus: atHome.status,
  }
}
