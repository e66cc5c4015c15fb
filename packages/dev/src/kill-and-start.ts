import { startApi } from './api-process.ts'
import type { Child } from './child-process.ts'
import { ensureCredentialKeys } from './credential-keys.ts'
import { ensureFeedKeys } from './feed-keys.ts'
import { birthOf } from './left-behind.ts'
import { waitForNode } from './node-process.ts'
import { startPrivatePostgres } from './private-postgres.ts'
import { ensureSecretKeys, ensureViewingKey } from './secret-keys.ts'
import type { Stack } from './stack.ts'
import { findStackFile } from './stack-file.ts'
import { pollUntil } from './waiting.ts'
import { startWorker } from './worker-process.ts'

export type Part = 'PostgreSQL' | 'The API' | 'The worker'

/** Ends parts of a running system as a failure would, and starts them again at their addresses. */
export interface Parts {
  /** By SIGKILL. */
  kill(part: Part): Promise<void>
  start(part: Part): Promise<void>
}

const PATIENCE_MS = 60_000

/** `settings` are those of the stack. */
export function partsOf(
  opened: AsyncDisposableStack,
  home: string,
  stack: Stack,
  settings: Readonly<Record<string, string>>,
): Parts {
  const again = new Map<Part, Child>()
  const pidOf = async (part: Part) =>
    again.get(part)?.pid ?? (await findStackFile(home))?.processes.find(({ name }) => name === part)?.pid
  return {
    async kill(part) {
      const pid = await pidOf(part)
      if (pid === undefined) throw new Error(`${part} does not run`)
      process.kill(pid, 'SIGKILL')
      const isGone = await pollUntil(async () => (await birthOf(pid)) === undefined || undefined, PATIENCE_MS)
      if (isGone === undefined) throw new Error(`${part} does not end`)
    },
    async start(part) {
      const child = await startAgain(part, home, stack, settings)
      opened.defer(() => child.stop())
      again.set(part, child)
    },
  }
}

async function startAgain(
  part: Part,
  home: string,
  { databaseUrl, baseUrl, playoutUrl, natsUrls }: Stack,
  own: Readonly<Record<string, string>>,
): Promise<Child> {
  if (part === 'PostgreSQL') {
    const server = { home, port: Number(new URL(databaseUrl).port), searchPath: process.env['PATH'] ?? '' }
    return (await startPrivatePostgres({ ...server, binDir: process.env['PG_BIN_DIR'], log: () => {} })).child
  }
  const [feedKeys, secretKeys] = await Promise.all([ensureFeedKeys(home), ensureSecretKeys(home)])
  const settings = { ...feedKeys.signing, ...secretKeys, ...own }
  const child =
    part === 'The worker'
      ? await startWorker({ home, databaseUrl, natsUrl: natsUrls.worker, settings })
      : await startApi({
          home,
          port: Number(new URL(baseUrl).port),
          databaseUrl,
          natsUrl: natsUrls.api,
          credentialKeysFile: await ensureCredentialKeys(home),
          playoutUrl,
          settings: { ...(await ensureViewingKey(home)), ...settings },
        })
  await waitForNode(child)
  return child
}
