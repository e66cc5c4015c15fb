import type { IngestSystem } from '../ingest/ingest-system.ts'
import { createAccount, openSession } from '../ingest/ingest-system.ts'

/** An account whose live sources are renamed to increasing numbers, which its events contain. */
export interface Station {
  /** The number of the last rename by source. All numbers up to it were accepted. */
  readonly changes: ReadonlyMap<string, number>
  addWebhook(url: string): Promise<{ readonly webhook_id: string; readonly secret: string }>
  rotateSecret(webhookId: string): Promise<string>
  /** Returns the number of the change. */
  change(sourceId: string): Promise<number>
}

const SOURCES = '/api/2.3/live_sources'
const WEBHOOKS = '/api/2.3/webhooks'
const KINDS = ['live_source.changed']

export async function openStation(system: IngestSystem, name: string, sources: number): Promise<Station> {
  const login = { account_name: name, email: `admin@${name}.example`, password: 'the tide is out today' }
  await createAccount(system.postgres().ownerUrl, login, name)
  const { call } = await openSession(system.apiUrl, login)
  const changes = new Map<string, number>()
  for (let i = 0; i < sources; i += 1) {
    const metadata = { input_url: 'https://live.example/index.m3u8' }
    const body = { name: '0', type: 'HLS_PULL', metadata }
    changes.set((await call<{ live_source_id: string }>('POST', SOURCES, body)).live_source_id, 0)
  }
  return {
    changes,
    addWebhook: (url) => call('POST', WEBHOOKS, { url, kinds: KINDS }),
    rotateSecret: async (webhookId) =>
      (await call<{ secret: string }>('POST', `${WEBHOOKS}/${webhookId}/rotate_secret`)).secret,
    async change(sourceId) {
      const number = changes.get(sourceId)! + 1
      await call('PATCH', `${SOURCES}/${sourceId}`, { name: `${number}` })
      changes.set(sourceId, number)
      return number
    },
  }
}
