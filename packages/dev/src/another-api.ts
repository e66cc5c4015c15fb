import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { startApi } from './api-process.ts'
import type { Child } from './child-process.ts'
import { waitForNode } from './node-process.ts'
import type { TestSystem } from './test-system.ts'

export interface AnotherApi extends AsyncDisposable {
  readonly baseUrl: string
  readonly child: Child
}

export interface AnotherApiOptions {
  /** Name of its folder in the system's home, with its logs. */
  readonly name: string
  /** Its database; by default the system's. */
  readonly databaseUrl?: string
  readonly settings?: Readonly<Record<string, string>>
}

/** Starts another API process of a running system: with the same database, NATS and keys. */
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
