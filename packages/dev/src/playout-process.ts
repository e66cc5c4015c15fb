import { join } from 'node:path'
import type { Child } from './child-process.ts'
import { mediaFolder } from './make-home.ts'
import { startNodeProcess } from './node-process.ts'

export interface PlayoutOptions {
  readonly home: string
  readonly port?: number // any free one where it is left out
  readonly natsUrl?: string | undefined // none: taken from the settings
  readonly settings: Readonly<Record<string, string>> // of the caller's choice; the address and the port stay ours
  readonly project?: string | undefined // the folder of another version
}

export async function startPlayout(options: PlayoutOptions): Promise<Child> {
  const { home, port = 0, natsUrl, settings, project } = options
  return startNodeProcess({
    home,
    name: 'The playout node',
    entry: 'playout',
    project,
    env: {
      // No drain delay: there is no load balancer, and Ctrl-C should be quick.
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
