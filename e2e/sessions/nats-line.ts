import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Socket } from 'node:net'

export interface NatsLine {
  /** NATS, by way of the line. */
  readonly url: string
  /** Breaks what is connected and refuses what comes. */
  cut(): Promise<void>
  mend(): Promise<void>
}

/** A line to NATS that can be cut and mended. It ends with `opened`. */
export async function layNatsLine(natsUrl: string, opened: AsyncDisposableStack): Promise<NatsLine> {
  const target = new URL(natsUrl)
  const sockets = new Set<Socket>()
  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    for (const socket of [near, far]) sockets.add(socket.on('error', () => {}))
    near.pipe(far).pipe(near)
  })
  const listen = async (port: number) => {
    server.listen(port, '127.0.0.1')
    await once(server, 'listening')
  }
  const cut = async () => {
    for (const socket of sockets) socket.destroy()
    sockets.clear()
    if (!server.listening) return
    server.close()
    await once(server, 'close')
  }
  await listen(0)
  opened.defer(cut)
  const { port } = server.address() as AddressInfo
  return { url: Object.assign(new URL(natsUrl), { port: `${port}` }).href, cut, mend: () => listen(port) }
}
