import {
  type Client,
  createClient,
  isProblem,
  type SendRefresh,
  type SessionAnswer,
} from '@continuity/client'
import {
  clearStored,
  readStored,
  type StoredSession,
  watchStored,
  withSessionLock,
  writeStored,
} from './stored-session.ts'

export interface Credentials {
  readonly accountName: string
  readonly email: string
  readonly password: string
}

export type SessionState =
  | { readonly kind: 'opening' }
  | { readonly kind: 'closed'; readonly reason?: 'ended' | 'unreachable' | undefined }
  | {
      readonly kind: 'open'
      readonly roles: readonly string[]
      readonly accountName: string
      readonly email: string
    }

export interface SessionStore {
  readonly client: Client
  /** For useSyncExternalStore. */
  readonly subscribe: (listener: () => void) => () => void
  readonly read: () => SessionState
  readonly resume: () => Promise<void>
  readonly logIn: (credentials: Credentials) => Promise<void>
  readonly logOut: () => Promise<void>
}

/**
 * The session of this tab.
 *
 * All tabs share one refresh credential, which works once. Whichever tab needs a new access credential takes the lock,
 * sends the credential that is stored then, and stores its successor before it lets the next tab in.
 */
export function createSessionStore(baseUrl: string, given?: Credentials): SessionStore {
  let state: SessionState = { kind: 'opening' }
  const listeners = new Set<() => void>()
  const set = (next: SessionState) => {
    state = next
    for (const listener of listeners) listener()
  }
  const open = (stored: StoredSession, { token }: Pick<SessionAnswer, 'token'>) =>
    set({ kind: 'open', roles: token.roles, accountName: stored.accountName, email: stored.email })

  const client = createClient({
    baseUrl,
    fetch: (url, init) => fetch(url, init),
    refreshWith: (own, send) => refreshShared(own, send),
    onSession: (session) => {
      if (session !== undefined || state.kind !== 'open') return
      clearStored()
      set({ kind: 'closed', reason: 'ended' })
    },
  })

  async function resume(): Promise<void> {
    if (readStored() === undefined) {
      // A login that does not work leaves the page to log in.
      if (given === undefined) return set({ kind: 'closed' })
      return logIn(given).catch(() => set({ kind: 'closed' }))
    }
    try {
      await withSessionLock(async () => {
        const stored = readStored()
        if (stored === undefined) return set({ kind: 'closed' })
        const answer = await client.refreshSession({ body: { token_refresh: stored.tokenRefresh } })
        const next = succeed(stored, answer)
        writeStored(next)
        open(next, answer)
      })
    } catch (error) {
      // The session stays stored, unless the service has ended it.
      const isEnded = isProblem(error) && error.status === 401
      if (isEnded) clearStored()
      set({ kind: 'closed', reason: isEnded ? 'ended' : 'unreachable' })
    }
  }

  async function logIn({ accountName, email, password }: Credentials): Promise<void> {
    const answer = await client.login({ body: { account_name: accountName, email, password } })
    const stored = succeed({ accountName, email }, answer)
    await withSessionLock(async () => writeStored(stored))
    open(stored, answer)
  }

  watchStored(() => {
    const stored = readStored()
    if (stored === undefined && state.kind === 'open') {
      set({ kind: 'closed' })
      client.logout()
    } else if (stored !== undefined && state.kind === 'closed') {
      set({ kind: 'opening' })
      void resume()
    }
  })

  return {
    client,
    read: () => state,
    resume,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    logIn,
    async logOut() {
      // Logging out works without the service too: the credentials are dropped here, and expire there.
      await client.endSession().catch(() => undefined)
      clearStored()
      set({ kind: 'closed' })
      client.logout()
    },
  }
}

const succeed = (
  known: Pick<StoredSession, 'accountName' | 'email'>,
  { device_id, token }: Pick<SessionAnswer, 'device_id' | 'token'>,
): StoredSession => ({
  accountName: known.accountName,
  email: known.email,
  deviceId: device_id,
  tokenRefresh: token.token_refresh,
})

const refreshShared = (own: string, send: SendRefresh): Promise<SessionAnswer> =>
  withSessionLock(async () => {
    const stored = readStored()
    const answer = await send(stored?.tokenRefresh ?? own)
    // After a logout in another tab nothing is stored again.
    if (stored !== undefined) writeStored(succeed(stored, answer))
    return answer
  })
