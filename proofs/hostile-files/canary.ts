import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

export interface Canary extends AsyncDisposable {
  readonly port: number
  connections(): number
}

/** Listens at a forbidden address and counts connections. `::` covers all addresses of this machine, IPv4 too. */
export async function startCanary(host = '::', port = 0): Promise<Canary> {
  let connections = 0
  const server: Server = createServer((socket) => {
    connections += 1
    socket.on('error', () => {}).resume()
    socket.end('HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 6\r\n\r\nsecret')
  })
  server.listen(port, host)
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => connections,
    [Symbol.asyncDispose]: async () => void (await new Promise((done) => server.close(done))),
  }
}

export interface Attempts extends Disposable {
  /** Every `address:port` that this process tried to connect to, successful or not. */
  list(): readonly string[]
}

/** Hooks in below every client, because no canary can listen on private addresses of other machines. */
export function watchAttempts(): Attempts {
  const found: { address?: string; port?: number }[] = []
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      // Node sets the target right after construction.
      if (type === 'TCPCONNECTWRAP') found.push(resource)
    },
  }).enable()
  return {
    list: () => found.map(({ address, port }) => `${address}:${port}`),
    [Symbol.dispose]: () => void hook.disable(),
  }
}
