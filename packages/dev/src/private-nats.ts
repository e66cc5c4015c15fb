import { mkdir, readFile, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { startChild, waitUntilReady } from './child-process.ts'
import { findProgram } from './find-program.ts'
import { hasArgument, stopLeftBehind } from './left-behind.ts'
import { createNatsUsers, type NatsServer, type NatsUsers } from './nats-users.ts'
import { writePrivateFile } from './private-file.ts'
import type { PrivateServer, PrivateServerOptions } from './private-server.ts'

export const STOPPING = { stopSignal: 'SIGINT', forceSignal: 'SIGKILL', graceMs: 10_000 } as const

/** What the largest message of the feed may take. */
export const MAX_PAYLOAD = '8MB'

/** Starts a NATS with JetStream that only this home uses, on a free port of the loopback. */
export async function startPrivateNats(options: PrivateServerOptions): Promise<PrivateServer & NatsServer> {
  const { home, log, signal } = options
  const command = await getNatsServer(options.searchPath)
  const files = filesIn(home)
  await mkdir(files.folder, { recursive: true, mode: 0o700 })
  if (await stopEarlierServer(files)) log('Stopped the NATS of an earlier start that was killed')
  // New at every start: nothing that is stored depends on it.
  const users = createNatsUsers()
  await writePrivateFile(files.config, configText(files, users))
  const child = await startChild({
    ...STOPPING,
    name: 'NATS',
    command,
    args: ['-c', files.config],
    env: {},
    logFile: join(home, 'logs', 'nats.log'),
  })
  const port = await waitUntilReady(child, () => findAnsweringPort(files, child.pid), 30_000, signal)
  const stop = async () => {
    await child.stop()
    await rm(files.pid, { force: true })
  }
  const urls = users.urlsAt([port])
  return { url: urls.owner, urls, child, stop }
}

interface NatsFiles {
  readonly folder: string
  readonly config: string
  readonly pid: string
  readonly store: string
}

function filesIn(home: string): NatsFiles {
  const folder = join(home, 'nats')
  return {
    folder,
    config: join(folder, 'nats.conf'),
    pid: join(folder, 'nats.pid'),
    store: join(folder, 'store'),
  }
}

/** Port -1 lets the server pick a free one and write it to a file, so that no other process can take it first. */
function configText(files: NatsFiles, users: NatsUsers): string {
  return `server_name: continuity
listen: "127.0.0.1:-1"
pid_file: ${JSON.stringify(files.pid)}
ports_file_dir: ${JSON.stringify(files.folder)}
max_payload: ${MAX_PAYLOAD}
jetstream { store_dir: ${JSON.stringify(files.store)}, max_mem: 256MB, max_file: 5GB }
${users.accounts}`
}

async function findAnsweringPort(files: NatsFiles, pid: number): Promise<number | undefined> {
  const text = await readFile(join(files.folder, `nats-server_${pid}.ports`), 'utf8').catch(() => '')
  const address = /nats:\/\/127\.0\.0\.1:(\d+)/.exec(text)
  if (!address) return undefined
  const port = Number(address[1])
  return (await answersInfo(port)) ? port : undefined
}

/** The server speaks first: a line that begins with INFO. */
export async function answersInfo(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', timeout: 2_000 })
    const answer = (isReady: boolean) => {
      socket.destroy()
      resolve(isReady)
    }
    socket.once('data', (bytes) => answer(bytes.toString('latin1').startsWith('INFO ')))
    socket.once('error', () => answer(false))
    socket.once('timeout', () => answer(false))
    socket.once('end', () => answer(false))
  })
}

async function stopEarlierServer(files: NatsFiles): Promise<boolean> {
  const pid = Number(await readFile(files.pid, 'utf8').catch(() => ''))
  if (!(pid > 0)) return false
  const wasRunning = await stopLeftBehind({
    ...STOPPING,
    pid,
    isStillIt: () => hasArgument(pid, files.config),
  })
  await rm(join(files.folder, `nats-server_${pid}.ports`), { force: true })
  return wasRunning
}

export async function getNatsServer(searchPath: string): Promise<string> {
  const path = await findProgram('nats-server', searchPath)
  if (path) return path
  throw new Error('nats-server was not found. Install nats-server, or set NATS_URL to a server that runs.')
}
