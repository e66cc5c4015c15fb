import { freshAddress } from './fresh-address.ts'
import { newPassword } from './login-people.ts'
import { type Login, logIn, type SessionAnswer } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'

/** More than are checked. */
const WRONG_AT_HOME = 8

/** The user sends wrong passwords from home, one after another. */
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
  /** The status of the right password from a new address: at once, a second before Retry-After has passed, and after. */
  readonly statuses: readonly [number, number, number]
  readonly retryAfterSeconds: number
  /** Its status from home, 15 minutes after the last wrong one. */
  readonly homeStatus: number
}

/** Waits, on the controlled clock, for as long as the answer to a rejected login states. */
export async function waitOut(it: SessionSystem, login: Login, home: string): Promise<Lockout> {
  const { apis, clock } = it
  const advance = (seconds: number) => clock.steer({ kind: 'advance', byMs: seconds * 1_000 })
  await clock.steer({ kind: 'rate', rate: 0 })
  const rejected = await logIn(apis[0], login, freshAddress())
  // At least 1, also where the first login succeeds.
  const retryAfterSeconds = Math.max(1, Number(rejected.retryAfter))
  await advance(retryAfterSeconds - 1)
  const early = await logIn(apis[1], login, freshAddress())
  await advance(1)
  const inTime = await logIn(apis[0], login, freshAddress())
  await advance(900)
  const atHome = await logIn(apis[1], login, home)
  return {
    statuses: [rejected.status, early.status, inTime.status],
    retryAfterSeconds,
    homeStatus: atHome.status,
  }
}
