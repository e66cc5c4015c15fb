import { createClient, type Session } from '@continuity/client'
import { operations } from '@continuity/contract'
import type { NextRequest } from './request-kinds.ts'
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

/** Logs the users in one after another: so many logins of one user would meet the login limit. */
export function loginRequests(logins: readonly Login[]): NextRequest {
  let next = 0
  return () => {
    const login = logins[next % logins.length]
    next += 1
    return { request: { ...requestFor(operations.login, {}, login), expected: OPENED } }
  }
}

export interface Refreshes {
  /** Renews the session that was renewed longest ago; none while all are being renewed. */
  readonly next: NextRequest
  /** Sessions whose latest renewal was answered. */
  readonly sessions: readonly Session[]
  /** How many renewals were answered. */
  count(): number
}

/** Each session is renewed repeatedly with the credential of the last renewal: one lost answer ends it. */
export function createRefreshes(opened: readonly Session[]): Refreshes {
  const sessions = [...opened]
  let renewals = 0
  const next = () => {
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
  return { next, sessions, count: () => renewals }
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
