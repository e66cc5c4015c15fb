import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureCredentialKeys } from '../tools/dev-stack/credential-keys.ts'
import { removeHome } from '../tools/dev-stack/remove-home.ts'
import { startStack } from '../tools/dev-stack/stack.ts'

export interface TestSystem extends AsyncDisposable {
  readonly baseUrl: string
  readonly credentialKeysFile: string
  /** Its folder, as `npm start` has .continuity. */
  readonly home: string
}

/** The whole system in a folder of its own, as `npm start` brings it up. It ends with its scope. */
export async function startTestSystem(
  apiSettings: Readonly<Record<string, string>> = {},
): Promise<TestSystem> {
  const home = await mkdtemp(join(tmpdir(), 'continuity-'))
  const stack = await startStack({
    home,
    port: 0,
    apiSettings,
    searchPath: process.env['PATH'] ?? '',
    log: () => {},
  })
  return {
    baseUrl: stack.baseUrl,
    home,
    credentialKeysFile: await ensureCredentialKeys(home),
    async [Symbol.asyncDispose]() {
      await stack.stop()
      await removeHome(home)
    },
  }
}
