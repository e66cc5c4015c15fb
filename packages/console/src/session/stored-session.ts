/** What the tabs of a browser share: no access credential, which each tab has in memory only. */
export interface StoredSession {
  readonly deviceId: string
  readonly tokenRefresh: string
  /** As typed at the login, to show who is logged in. */
  readonly accountName: string
  readonly email: string
}

const KEY = 'continuity.session'

export function readStored(): StoredSession | undefined {
  const text = localStorage.getItem(KEY)
  if (text === null) return undefined
  try {
    const value: unknown = JSON.parse(text)
    return isStored(value) ? value : undefined
  } catch {
    return undefined
  }
}

export const writeStored = (session: StoredSession): void =>
  localStorage.setItem(KEY, JSON.stringify(session))

export const clearStored = (): void => localStorage.removeItem(KEY)

/** Calls `onChange` when another tab logs in or out, or refreshes. */
export function watchStored(onChange: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === KEY || event.key === null) onChange()
  }
  addEventListener('storage', listen)
  return () => removeEventListener('storage', listen)
}

/** One tab at a time reads the refresh credential, sends it and stores its successor. */
export const withSessionLock = <T>(work: () => Promise<T>): Promise<T> => navigator.locks.request(KEY, work)

function isStored(value: unknown): value is StoredSession {
  if (typeof value !== 'object' || value === null) return false
  const fields = ['deviceId', 'tokenRefresh', 'accountName', 'email']
  return fields.every((field) => typeof (value as Record<string, unknown>)[field] === 'string')
}
