import type { Child } from './child-process.ts'
import { startNodeProcess } from './node-process.ts'

export interface ApiOptions {
  readonly home: string
  readonly port: number
  readonly databaseUrl: string
  readonly natsUrl: string
  readonly credentialKeysFile: string
  readonly playoutUrl?: string | undefined // where media is served; none without a playout node
  readonly settings: Readonly<Record<string, string>> // of the caller's choice; the addresses and the port stay ours
  readonly project?: string | undefined // the folder of another version
}

export async function startApi(options: ApiOptions): Promise<Child> {
  const { home, port, databaseUrl, natsUrl, credentialKeysFile, playoutUrl, settings } = options
  return startNodeProcess({
    home,
    name: 'The API',
    entry: 'api',
    project: options.project,
    env: {
      // No drain delay: there is no load balancer, and Ctrl-C should be quick.
      DRAIN_GRACE_MS: '0',
      DRAIN_LAST_MS: '500',
      // An answer that breaks the contract is found here and not by a client.
      CHECK_ANSWERS: 'yes',
      ...(playoutUrl === undefined
        ? {}
        : { MEDIA_BASE_URL: `${playoutUrl}/media/`, PLAYOUT_BASE_URL: `${playoutUrl}/` }),
      ...settings,
      HOST: '127.0.0.1',
      PORT: `${port}`,
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
      CREDENTIAL_KEYS_FILE: credentialKeysFile,
    },
  })
}
