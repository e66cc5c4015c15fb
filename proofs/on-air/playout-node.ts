import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Child } from '@continuity/dev/child-process'
import { waitForNode } from '@continuity/dev/node-process'
import { startPlayout } from '@continuity/dev/playout-process'

export interface NodeOptions {
  readonly home: string
  readonly mediaFolder: string
  readonly natsUrl: string
  readonly settings: Readonly<Record<string, string>>
}

/** A playout node that can be killed and restarted with its disk. */
export interface PlayoutNode {
  /** Changes with every start. */
  url(): string
  kill(): Promise<void>
  startAgain(): Promise<void>
  /** Deletes the snapshot of a stopped node: it restarts empty. */
  deleteSnapshot(): Promise<void>
}

export async function openPlayoutNode(
  opened: AsyncDisposableStack,
  { home, mediaFolder, natsUrl, settings }: NodeOptions,
): Promise<PlayoutNode> {
  await mkdir(join(home, 'logs'), { recursive: true })
  const own = { MEDIA_STORE: mediaFolder, ...settings }
  const start = async () => {
    const child = await startPlayout({ home, natsUrl, settings: own })
    opened.defer(() => child.stop())
    return { child, url: await waitForNode(child) }
  }
  let running = await start()
  return {
    url: () => running.url,
    kill: () => killAtOnce(running.child),
    async startAgain() {
      running = await start()
    },
    deleteSnapshot: () => rm(join(home, 'snapshot'), { recursive: true, force: true }),
  }
}

/** Kills by SIGKILL. */
export async function killAtOnce(child: Child): Promise<void> {
  if (!child.isRunning()) return
  process.kill(child.pid, 'SIGKILL')
  await child.exited
}
