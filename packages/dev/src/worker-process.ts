import type { Child } from './child-process.ts'
import { mediaFolder, scratchFolder } from './make-home.ts'
import { startNodeProcess } from './node-process.ts'

export interface WorkerOptions {
  readonly home: string
  readonly databaseUrl: string
  readonly natsUrl: string
  readonly settings: Readonly<Record<string, string>> // of the caller's choice; the addresses and the port stay ours
  readonly project?: string | undefined // the folder of another version
}

export async function startWorker(options: WorkerOptions): Promise<Child> {
  const { home, databaseUrl, natsUrl, settings, project } = options
  return startNodeProcess({
    home,
    name: 'The worker',
    entry: 'worker',
    project,
    env: {
      // Ctrl-C should be quick; unfinished jobs are continued at the next start.
      WORKER_GRACE_MS: '1000',
      MEDIA_STORE: mediaFolder(home),
      SCRATCH_DIR: scratchFolder(home),
      ...settings,
      HOST: '127.0.0.1',
      PORT: '0',
      DATABASE_URL: databaseUrl,
      NATS_URL: natsUrl,
    },
  })
}
