import { randomBytes } from 'node:crypto'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Child, startChild, waitUntilReady } from './child-process.ts'
import { createNatsUsers, type NatsServer, type NatsUsers } from './nats-users.ts'
import { findFreePort } from './ports.ts'
import { writePrivateFile } from './private-file.ts'
import { answersInfo, getNatsServer, MAX_PAYLOAD, STOPPING } from './private-nats.ts'
import type { PrivateServerOptions } from './private-server.ts'

/** Several NATS servers that are one, as in production, on the loopback; or one alone. */
export interface PrivateNatsCluster extends NatsServer {
  readonly servers: readonly ClusterServer[]
  stop(): Promise<void>
}

export interface ClusterServer extends NatsServer {
  readonly name: string
  /** At once, as when its machine is lost. */
  kill(): Promise<void>
  /** Again, at the same address. */
  start(): Promise<void>
  /** Of a server that does not run: it comes back with nothing. */
  deleteStore(): Promise<void>
}

export async function startPrivateNatsCluster(
  options: PrivateServerOptions & { readonly size?: number },
): Promise<PrivateNatsCluster> {
  const command = await getNatsServer(options.searchPath)
  const password = randomBytes(24).toString('hex')
  const users = createNatsUsers()
  const peers = await findPeers(options.size ?? 3, options.home)
  const servers = peers.map((peer) => openServer({ ...options, command, password, users, peers, peer }))
  const stop = async () => {
    await Promise.all(servers.map((server) => server.stop()))
  }
  try {
    // A server alone waits for the others, so all are started before any has to be ready.
    await Promise.all(servers.map((server) => server.start()))
  } catch (error) {
    await stop()
    throw error
  }
  const urls = users.urlsAt(peers.map(({ port }) => port))
  return { url: urls.owner, urls, servers, stop }
}

interface Peer {
  readonly name: string
  readonly port: number
  readonly routePort: number
  readonly folder: string
}

interface ServerOptions extends PrivateServerOptions {
  readonly command: string
  readonly password: string // between the servers
  readonly users: NatsUsers
  readonly peers: readonly Peer[]
  readonly peer: Peer
}

/** Servers must know each other's ports before they start, so these are looked for, and may be lost to others. */
async function findPeers(size: number, home: string): Promise<Peer[]> {
  const names = Array.from({ length: size }, (_, at) => `nats-${at + 1}`)
  return Promise.all(
    names.map(async (name) => {
      const [port, routePort] = await Promise.all([findFreePort(), findFreePort()])
      return { name, port, routePort, folder: join(home, name) }
    }),
  )
}

function openServer(options: ServerOptions): ClusterServer & { stop(): Promise<void> } {
  const { home, command, users, peer, signal } = options
  const urls = users.urlsAt([peer.port])
  const config = join(peer.folder, 'nats.conf')
  let child: Child | undefined // the last that was started
  return {
    name: peer.name,
    url: urls.owner,
    urls,
    async start() {
      await mkdir(peer.folder, { recursive: true, mode: 0o700 })
      await writePrivateFile(config, configText(options))
      const logFile = join(home, 'logs', `${peer.name}.log`)
      child = await startChild({
        ...STOPPING,
        name: peer.name,
        command,
        args: ['-c', config],
        env: {},
        logFile,
      })
      const isReady = async () => ((await answersInfo(peer.port)) ? true : undefined)
      await waitUntilReady(child, isReady, 30_000, signal)
    },
    async kill() {
      if (child?.isRunning() !== true) return
      process.kill(child.pid, 'SIGKILL')
      await child.exited
    },
    async deleteStore() {
      if (child?.isRunning() === true) throw new Error(`${peer.name} runs`)
      await rm(join(peer.folder, 'store'), { recursive: true, force: true })
    },
    stop: async () => child?.stop(),
  }
}

function configText({ peer, peers, password, users }: ServerOptions): string {
  return `server_name: ${peer.name}
listen: "127.0.0.1:${peer.port}"
max_payload: ${MAX_PAYLOAD}
jetstream { store_dir: ${JSON.stringify(join(peer.folder, 'store'))}, max_mem: 256MB, max_file: 5GB }
${users.accounts}${peers.length > 1 ? clusterText(peer, peers, password) : ''}`
}

/** Servers do not advertise each other to clients: a test may have put a proxy between. */
function clusterText(peer: Peer, peers: readonly Peer[], password: string): string {
  const routes = peers
    .filter((other) => other !== peer)
    .map(({ routePort }) => `nats-route://continuity:${password}@127.0.0.1:${routePort}`)
  return `cluster {
  name: continuity
  listen: "127.0.0.1:${peer.routePort}"
  no_advertise: true
  authorization { user: continuity, password: "${password}" }
  routes: ${JSON.stringify(routes)}
}
`
}
