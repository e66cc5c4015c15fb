import { createHook } from 'node:async_hooks'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Server } from 'node:net'

export interface Canary extends AsyncDisposable {
  readonly port: number
  connections(): number
}

/** Listens where nobody may get to, and counts who does. `::` takes all addresses of this machine, IPv4 too. */
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
  /** Every `address:port` that this process tried to connect to, whether it got there or not. */
  list(): readonly string[]
}

/** Watches below every client, because no canary can sit on the private addresses of others. */
export function watchAttempts(): Attempts {
  const found: { address?: string; port?: number }[] = []
  const hook = createHook({
    init(_id, type, _trigger, resource) {
      // Node writes the target into it right after it is made.
      if (type === 'TCPCONNECTWRAP') found.push(resource)
    },
  }).enable()
  return {
    list: () => found.map(({ address, port }) => `${address}:${port}`),
    [Symbol.dispose]: () => void hook.disable(),
  }
}
