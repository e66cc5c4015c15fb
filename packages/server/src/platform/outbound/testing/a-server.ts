import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import type { AddressInfo, Socket } from 'node:net'

export interface TestServer extends AsyncDisposable {
  readonly port: number
  readonly origin: string
  connections(): number
  /** Resolves when no client is connected any more. */
  left(): Promise<void>
}

/** A real server on loopback that counts its connections. */
export async function aServer(
  listener: RequestListener,
  options: { host?: string; port?: number; tls?: { key: string; cert: string } } = {},
): Promise<TestServer> {
  const { host = '127.0.0.1', tls } = options
  const server = tls === undefined ? createServer(listener) : createSecureServer(tls, listener)
  const counted = countConnections(server)
  server.listen(options.port ?? 0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    port,
    origin,
    connections: () => counted.total(),
    left: () => counted.left(),
    async [Symbol.asyncDispose]() {
      counted.destroyAll()
      await new Promise((done) => server.close(done))
    },
  }
}

function countConnections(server: Server) {
  const open = new Set<Socket>()
  let total = 0
  server.on('connection', (socket: Socket) => {
    total += 1
    open.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => open.delete(socket))
  })
  return {
    total: () => total,
    async left() {
      for (const socket of open) await new Promise((done) => socket.once('close', done))
    },
    destroyAll: () => {
      for (const socket of open) socket.destroy()
    },
  }
}
