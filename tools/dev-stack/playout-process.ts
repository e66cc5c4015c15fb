import { join } from 'node:path'
import type { Child } from './child-process.ts'
import { mediaFolder } from './make-home.ts'
import { startNodeProcess } from './node-process.ts'

export interface PlayoutOptions {
  readonly home: string
  readonly port?: number // any free one where it is left out
  readonly natsUrl?: string | undefined // none: the settings say it
  readonly settings: Readonly<Record<string, string>> // of the caller's choice; the address and the port stay ours
}

export async function startPlayout({ home, port = 0, natsUrl, settings }: PlayoutOptions): Promise<Child> {
  return startNodeProcess({
    home,
    name: 'The playout node',
    entry: 'playout',
    env: {
      // No load balancer has to notice first that this one leaves, and nobody likes to wait at Ctrl-C.
      DRAIN_GRACE_MS: '0',
      DRAIN_LAST_MS: '500',
      MEDIA_STORE: mediaFolder(home),
      SNAPSHOT_FOLDER: join(home, 'snapshot'),
      ...(natsUrl === undefined ? {} : { NATS_URL: natsUrl }),
      ...settings,
      HOST: '127.0.0.1',
      PORT: `${port}`,
    },
  })
}
