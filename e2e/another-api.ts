import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startApi } from '../tools/dev-stack/api-process.ts'
import type { Child } from '../tools/dev-stack/child-process.ts'
import { waitForNode } from '../tools/dev-stack/node-process.ts'
import type { TestSystem } from './test-system.ts'

export interface AnotherApi extends AsyncDisposable {
  readonly baseUrl: string
  readonly child: Child
}

export interface AnotherApiOptions {
  /** Of its folder in the system's home, where it logs. */
  readonly name: string
  /** Where its database is reached; the system's own where it is left out. */
  readonly databaseUrl?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** One more API process of a running system: the same database, NATS and keys. */
export async function startAnotherApi(
  system: TestSystem,
  { name, databaseUrl = system.databaseUrl, settings = {} }: AnotherApiOptions,
): Promise<AnotherApi> {
  const home = join(system.home, name)
  await mkdir(join(home, 'logs'), { recursive: true })
  const { natsUrl, credentialKeysFile } = system
  const child = await startApi({ home, port: 0, databaseUrl, natsUrl, credentialKeysFile, settings })
  try {
    const baseUrl = await waitForNode(child)
    return { baseUrl, child, [Symbol.asyncDispose]: () => child.stop() }
  } catch (error) {
    await child.stop()
    throw error
  }
}
