import { freshAddress } from './fresh-address.ts'
import { logIn, registerDevice, requireSession, type Session } from './session-calls.ts'
import type { SessionSystem } from './session-system.ts'
import { severalAtOnce } from './several-at-once.ts'

/** A login costs a password hash, so only every tenth session is of a user; the others are devices. */
const LOGIN_EVERY = 10
const AT_ONCE = 8

/** New sessions of the demo account, opened on both processes. */
export async function openSessions({ system, apis }: SessionSystem, count: number): Promise<Session[]> {
  const { demoAccount } = system
  const login = {
    account_name: demoAccount.account_name,
    email: demoAccount.email,
    password: demoAccount.password,
  }
  const app = { app_name: demoAccount.app_name, sdk_key: demoAccount.sdk_key }
  const numbers = Array.from({ length: count }, (_, i) => i)
  return severalAtOnce(AT_ONCE, numbers, async (i) => {
    const api = apis[i % 2]!
    const opening =
      i % LOGIN_EVERY === 0 ? logIn(api, login, freshAddress()) : registerDevice(api, app, freshAddress())
    return requireSession(await opening)
  })
}
