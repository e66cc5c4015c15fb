import type { Client } from '@continuity/client'
import { createContext, type ReactNode, use, useEffect, useSyncExternalStore } from 'react'
import type { SessionState, SessionStore } from './session-store.ts'

const SessionContext = createContext<SessionStore | undefined>(undefined)

export function SessionProvider({ store, children }: { store: SessionStore; children: ReactNode }) {
  useEffect(() => void store.resume(), [store])
  return <SessionContext value={store}>{children}</SessionContext>
}

export function useSessionStore(): SessionStore {
  const store = use(SessionContext)
  if (store === undefined) throw new Error('SessionProvider is missing')
  return store
}

export function useSession(): SessionState {
  const store = useSessionStore()
  return useSyncExternalStore(store.subscribe, store.read)
}

export const useClient = (): Client => useSessionStore().client
