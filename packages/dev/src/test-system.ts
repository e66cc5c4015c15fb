import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureCredentialKeys } from './credential-keys.ts'
import type { DemoAccount } from './demo-account.ts'
import type { NatsUrls } from './nats-users.ts'
import { removeHome } from './remove-home.ts'
import { startStack } from './stack.ts'

export interface TestSystem extends AsyncDisposable {
  readonly baseUrl: string
  readonly credentialKeysFile: string
  readonly databaseUrl: string
  readonly databaseOwnerUrl: string
  /** The API's URL. */
  readonly natsUrl: string
  readonly natsUrls: NatsUrls
  readonly demoAccount: DemoAccount
  /** Its home folder, like .continuity of `npm start`. */
  readonly home: string
}

/** Starts the system of `npm start` in its own folder, without worker and playout node. It ends with its scope. */
export async function startTestSystem(
  apiSettings: Readonly<Record<string, string>> = {},
): Promise<TestSystem> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-'))
  const stack = await startStack({
    home,
    port: 0,
    // No worker sends mails; the API still accepts recipients.
    settings: { SMTP_HOST: '127.0.0.1', ...apiSettings },
    withoutWorker: true,
    withoutPlayout: true,
    searchPath: process.env['PATH'] ?? '',
    log: () => {},
  })
  return {
    baseUrl: stack.baseUrl,
    databaseUrl: stack.databaseUrl,
    databaseOwnerUrl: stack.databaseOwnerUrl,
    natsUrl: stack.natsUrls.api,
    natsUrls: stack.natsUrls,
    demoAccount: stack.demoAccount,
    home,
    credentialKeysFile: await ensureCredentialKeys(home),
    async [Symbol.asyncDispose]() {
      await stack.stop()
      await removeHome(home)
    },
  }
}
