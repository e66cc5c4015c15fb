import { join } from 'node:path'
import type { Child } from './child-process.ts'
import { mediaFolder } from './make-home.ts'
import { startNodeProcess } from './node-process.ts'

export interface ReceiverOptions {
  readonly home: string
  readonly natsUrl: string
  readonly settings: Readonly<Record<string, string>> // of the caller's choice; the addresses and the port stay ours
  readonly project?: string | undefined // the folder of another version
}

export async function startReceiverProcess(options: ReceiverOptions): Promise<Child> {
  const { home, natsUrl, settings, project } = options
  return startNodeProcess({
    home,
    name: 'The receiver',
    entry: 'receiver',
    project,
    env: {
      MEDIA_STORE: mediaFolder(home),
      RECEIVER_FOLDER: join(home, 'receiver'),
      ...settings,
      HOST: '127.0.0.1',
      PORT: '0',
      NATS_URL: natsUrl,
    },
  })
}
