import type { Session, SessionAnswer } from './session-keeper.ts'
import { type Sleep, sleep } from './waiting.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

/** Sends a refresh credential, which works once, and returns the session with a new pair. */
export type SendRefresh = (tokenRefresh: string) => Promise<SessionAnswer>

export interface RetrySettings {
  /** All tries together, the first included. */
  readonly tries: number
  /** The wait before the second try is at most this; it doubles with each further try. */
  readonly baseMs: number
  readonly capMs: number
  /** A longer Retry-After is thrown at once, so that the caller can decide. */
  readonly retryAfterCapMs: number
}

export interface ClientOptions {
  /** The address of the service, such as `https://api.example`; the prefixes of the API versions are appended. */
  readonly baseUrl: string
  /** A stored session, as `onSession` received it. */
  readonly session?: Session | undefined
  /** Called with every new session, and with undefined when it ends. */
  readonly onSession?: ((session: Session | undefined) => void) | undefined
  /**
   * Renews a session that several clients share, such as the tabs of a browser. It calls `send` with the newest
   * refresh credential that any of them has stored, while no other one does. Default: the client's own credential.
   */
  readonly refreshWith?: ((tokenRefresh: string, send: SendRefresh) => Promise<SessionAnswer>) | undefined
  /** Timeout of one try, including its answer. Default: 30 s. */
  readonly timeoutMs?: number
  readonly retry?: Partial<RetrySettings>
  readonly fetch?: Fetch
  /** Time and randomness are options, for tests. */
  readonly sleep?: Sleep
  readonly random?: () => number
  readonly now?: () => number
}

export interface Settings {
  readonly baseUrl: string
  readonly timeoutMs: number
  readonly retry: RetrySettings
  readonly fetch: Fetch
  readonly sleep: Sleep
  readonly random: () => number
  readonly now: () => number
}

export function settingsOf(options: ClientOptions): Settings {
  return {
    baseUrl: requireBaseUrl(options.baseUrl),
    timeoutMs: options.timeoutMs ?? 30_000,
    // Four tries wait 1.4 s in total at most: longer than a load balancer needs to
    // switch to another process, and still acceptable to a user.
    retry: { tries: 4, baseMs: 200, capMs: 5_000, retryAfterCapMs: 30_000, ...options.retry },
    fetch: options.fetch ?? globalThis.fetch,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
  }
}

/** The address without trailing slashes. Rejects addresses that fetch or the paths could not use. */
function requireBaseUrl(baseUrl: string): string {
  const url = new URL(baseUrl)
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!/^https?:$/.test(url.protocol) || !isPlain) {
    throw new TypeError('baseUrl must be an http or https address without user, query or fragment')
  }
  return url.href.replace(/\/+$/, '')
}
