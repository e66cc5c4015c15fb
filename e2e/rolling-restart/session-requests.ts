import { createClient, type Session } from '@continuity/client'
import { operations } from '@continuity/contract'
import type { Asking } from './asking.ts'
import { requestFor } from './request-mix.ts'
import { fetchOnce } from './send.ts'

/** What a user logs in with. */
export interface Login {
  readonly account_name: string
  readonly email: string
  readonly password: string
}

/** The headers that a session's requests carry. */
export const credentialOf = ({ token, device_id: deviceId }: Session): Record<string, string> => ({
  'x-service-auth': token.token_access,
  'x-service-device': deviceId,
})

const OPENED = '200 application/json; charset=utf-8'

/** Logs one user in after the other. So many tries of one at the same time would look like guessing. */
export function askLogins(logins: readonly Login[]): Asking {
  let next = 0
  return () => {
    const login = logins[next % logins.length]
    next += 1
    return { request: { ...requestFor(operations.login, {}, login), expected: OPENED } }
  }
}

export interface Refreshes {
  /** Renews the session that has waited longest; none while all are being renewed. */
  readonly ask: Asking
  /** Sessions whose latest renewal came back. */
  readonly sessions: readonly Session[]
  /** How many renewals came back. */
  count(): number
}

/** Each session is renewed time and again, with what the renewal before gave: one lost answer ends it. */
export function createRefreshes(opened: readonly Session[]): Refreshes {
  const sessions = [...opened]
  let renewals = 0
  const ask = () => {
    const session = sessions.shift()
    if (session === undefined) return undefined
    const body = { token_refresh: session.token.token_refresh }
    return {
      request: { ...requestFor(operations.refreshSession, {}, body), expected: OPENED },
      take: ({ body: renewed }: { readonly body: Buffer }) => {
        renewals += 1
        sessions.push(JSON.parse(renewed.toString()) as Session)
      },
    }
  }
  return { ask, sessions, count: () => renewals }
}

/** How many of the sessions can be renewed once more, and then read something. */
export async function countLiving(port: number, sessions: readonly Session[]): Promise<number> {
  const living = await Promise.all(sessions.map((session) => isLiving(port, session)))
  return living.filter(Boolean).length
}

async function isLiving(port: number, session: Session): Promise<boolean> {
  const client = createClient({ baseUrl: `http://127.0.0.1:${port}`, fetch: fetchOnce, session })
  return client
    .refreshSession({ body: { token_refresh: session.token.token_refresh } })
    .then(() => client.getAccount())
    .then(
      () => true,
      () => false,
    )
}
