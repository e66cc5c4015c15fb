import type { Session } from './session-keeper.ts'
import { type Sleep, sleep } from './waiting.ts'

export type Fetch = (url: string, init: RequestInit) => Promise<Response>

export interface RetrySettings {
  /** All tries together, the first included. */
  readonly tries: number
  /** The wait before the second try is at most this; it doubles with each further try. */
  readonly baseMs: number
  readonly capMs: number
  /** An answer that asks to wait longer than this is thrown at once: the caller can plan, we would only hang. */
  readonly retryAfterCapMs: number
}

export interface ClientOptions {
  /** Where the service is, such as `https://api.example`; the versions' prefixes are added to it. */
  readonly baseUrl: string
  /** A session kept from before, as `onSession` gave it. */
  readonly session?: Session | undefined
  /** Called with every new session, and with undefined when there is none any more. */
  readonly onSession?: ((session: Session | undefined) => void) | undefined
  /** The longest that one try may take, its answer included. 30 s. */
  readonly timeoutMs?: number
  readonly retry?: Partial<RetrySettings>
  readonly fetch?: Fetch
  /** Time and chance are arguments, so that a test needs to wait for neither. */
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
    // Four tries wait 1.4 s together at most: longer than a process needs to be
    // replaced behind a balancer, shorter than a person's patience.
    retry: { tries: 4, baseMs: 200, capMs: 5_000, retryAfterCapMs: 30_000, ...options.retry },
    fetch: options.fetch ?? globalThis.fetch,
    sleep: options.sleep ?? sleep,
    random: options.random ?? Math.random,
    now: options.now ?? Date.now,
  }
}

/** The address without its last slash. What fetch or the paths would trip over is refused here, once. */
function requireBaseUrl(baseUrl: string): string {
  const url = new URL(baseUrl)
  const isPlain = url.search === '' && url.hash === '' && url.username === '' && url.password === ''
  if (!/^https?:$/.test(url.protocol) || !isPlain) {
    throw new TypeError('baseUrl must be an http or https address without user, query or fragment')
  }
  return url.href.replace(/\/+$/, '')
}
