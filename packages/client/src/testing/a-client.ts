import type { TestContext } from 'node:test'
import { type Client, type ClientOptions, createClient, type Session } from '../index.ts'
import { type Script, type ScriptedServer, startServer } from './scripted-server.ts'

export interface TestClient {
  readonly client: Client
  readonly server: ScriptedServer
  /** Every wait that was asked for; none of them is waited. */
  readonly waits: readonly number[]
  /** Everything that onSession was told. */
  readonly told: readonly (Session | undefined)[]
}

/** A client of a scripted server, for which time does not pass and chance is always its most. */
export async function aClient(
  t: TestContext,
  script: Script,
  options: Partial<ClientOptions> = {},
): Promise<TestClient> {
  const server = await startServer(t, script)
  const waits: number[] = []
  const told: (Session | undefined)[] = []
  const client = createClient({
    baseUrl: server.url,
    onSession: (session) => told.push(session),
    random: () => 1,
    sleep: async (ms, signal) => {
      waits.push(ms)
      signal?.throwIfAborted()
    },
    ...options,
  })
  return { client, server, waits, told }
}

/** A session whose credentials are named after it. */
export const aSession = (name: string, device = 'device-1') => ({
  country: 'GB',
  device_id: device,
  token: { token_access: `access-${name}`, token_refresh: `refresh-${name}`, roles: ['ROLE_USER'] },
})

/** The same as the service answers it. */
export const aSessionAnswer = (name: string, device?: string) => ({
  ...aSession(name, device),
  user_agent: 'test',
})

/** All that an iteration gives. */
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
