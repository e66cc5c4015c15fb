import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from './child-process.ts'
import { compileCache } from './compile-cache.ts'

const PROJECT = join(import.meta.dirname, '../../..')

/** A folder with bundles of the processes, which a run of tests has made of the sources of this project. */
export const MADE_SERVERS = 'TEST_SERVER_BUNDLE'

/** A folder with the processes as `npm run build` makes them, to be run in place of the sources. */
export const BUILT_SERVERS = 'CONTINUITY_SERVERS'

/** In a run of tests: that the machine is busy with other tests is neither an overload nor a fault of the database. */
const ON_A_BUSY_MACHINE = { MAX_EVENT_LOOP_DELAY_MS: '10000', DATABASE_PATIENCE: '6' }

/** One that ends is noticed at once; on a machine with other things to do a start may take minutes. */
const READY_MS = 300_000

export const NODE_STOPPING = { stopSignal: 'SIGTERM', forceSignal: 'SIGKILL', graceMs: 15_000 } as const

export interface NodeProcessOptions {
  readonly home: string
  readonly name: string
  /** The file in the server's `bin`, and the name of its log. */
  readonly entry: 'api' | 'worker' | 'playout' | 'receiver'
  readonly env: Readonly<Record<string, string>>
  /** The folder of another version of the project, whose sources are run; by default this one. */
  readonly project?: string | undefined
}

/**
 * Starts a process of ours, which reports through its message channel when it
 * is ready. The channel is its lifeline too: when this process is killed it
 * closes, and the other ends by itself.
 */
export async function startNodeProcess(options: NodeProcessOptions): Promise<Child> {
  const { home, name, entry, env, project } = options
  return startChild({
    ...NODE_STOPPING,
    name,
    command: process.execPath,
    args: [project === undefined ? fileOf(entry) : sourceOf(project, entry)],
    env: {
      ...(process.env[MADE_SERVERS] !== undefined && ON_A_BUSY_MACHINE),
      ...compileCache(project ?? PROJECT),
      ...env,
    },
    logFile: join(home, 'logs', `${entry}.log`),
    withMessages: true,
  })
}

/** A copy of the project with other sources finds the folder of tests in its environment as well, and must not use it. */
function fileOf(entry: NodeProcessOptions['entry']): string {
  const built = process.env[BUILT_SERVERS]
  if (built !== undefined) return join(built, `${entry}.js`)
  const made = process.env[MADE_SERVERS]
  return made?.startsWith(join(PROJECT, 'node_modules/')) === true
    ? join(made, `${entry}.js`)
    : sourceOf(PROJECT, entry)
}

const sourceOf = (project: string, entry: string): string =>
  join(project, `packages/server/src/bin/${entry}.ts`)

/** The address that it serves, as soon as it does. */
export async function waitForNode(child: Child, signal?: AbortSignal): Promise<string> {
  return waitUntilReady(child, () => findUrl(child.firstMessage()), READY_MS, signal)
}

function findUrl(message: unknown): string | undefined {
  const { ready, url } = (message ?? {}) as { ready?: unknown; url?: unknown }
  return ready === true && typeof url === 'string' ? url : undefined
}
