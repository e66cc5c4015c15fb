import type { TestContext } from 'node:test'
import { type Client, type ClientOptions, createClient, type Session } from '../index.ts'
import { type Script, type ScriptedServer, startServer } from './scripted-server.ts'

export interface TestClient {
  readonly client: Client
  readonly server: ScriptedServer
  /** Every requested wait; none of them takes time. */
  readonly waits: readonly number[]
  /** Every argument of onSession. */
  readonly sessions: readonly (Session | undefined)[]
}

/** A client of a scripted server. Waits take no time, and random() is always 1. */
export async function aClient(
  t: TestContext,
  script: Script,
  options: Partial<ClientOptions> = {},
): Promise<TestClient> {
  const server = await startServer(t, script)
  const waits: number[] = []
  const sessions: (Session | undefined)[] = []
  const client = createClient({
    baseUrl: server.url,
    onSession: (session) => sessions.push(session),
    random: () => 1,
    sleep: async (ms, signal) => {
      waits.push(ms)
      signal?.throwIfAborted()
    },
    ...options,
  })
  return { client, server, waits, sessions }
}

/** A session whose credentials are named after it. */
export const aSession = (name: string, device = 'device-1') => ({
  country: 'GB',
  device_id: device,
  token: { token_access: `access-${name}`, token_refresh: `refresh-${name}`, roles: ['ROLE_USER'] },
})

/** The same session as the service returns it. */
export const aSessionAnswer = (name: string, device?: string) => ({
  ...aSession(name, device),
  user_agent: 'test',
})

/** Everything that an iteration yields. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of items) all.push(item)
  return all
}

export const aPage = (hits: readonly unknown[], mark: string | null = null) => ({
  hits,
  page: { page_id: null, page_size: '30', page_mark: mark, page_offset: '0' },
  total: hits.length,
})
