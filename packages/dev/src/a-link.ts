import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A proxy to a server that a test can break. */
export interface Link extends AsyncDisposable {
  /** The address of the server through the proxy. */
  readonly url: string
  /** The number of connections so far. */
  connections(): number
  /**
   * Drops all packets without closing connections, like a dead network. Connections made before or meanwhile stay dead.
   */
  silence(): void
  /** Breaks every connection; new connections are refused. */
  goDown(): Promise<void>
  /** Accepts new connections again, at the same address. */
  restore(): Promise<void>
}

/** Passes everything at first. A given port can be one that stays free while connections are refused. */
export async function aLink(serverUrl: string, port = 0): Promise<Link> {
  const target = new URL(serverUrl)
  const pairs = new Set<Pair>()
  let isSilent = false // set by silence and restore only
  let connections = 0

  // Half open: during silence no FIN is delivered, and so none is answered.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    connections += 1
    const far = isSilent ? undefined : connect(Number(target.port), target.hostname)
    const pair = { near, far, isDead: isSilent }
    pairs.add(pair)
    const endUnlessSilent = () => {
      if (isSilent) return
      cut(pair)
      pairs.delete(pair)
    }
    for (const socket of [near, far]) socket?.on('error', () => {}).on('close', endUnlessSilent)
    // A live connection ends when both ends close it.
    near.on('end', () => pair.isDead && endUnlessSilent())
    if (far === undefined) near.resume()
    else near.pipe(far).pipe(near)
  })
  await listen(server, port)
  const ownPort = (server.address() as AddressInfo).port

  return {
    url: Object.assign(new URL(serverUrl), { hostname: '127.0.0.1', port: `${ownPort}` }).href,
    connections: () => connections,
    silence() {
      isSilent = true
      for (const pair of pairs) kill(pair)
    },
    async goDown() {
      const closed = once(server, 'close')
      server.close()
      for (const pair of pairs) cut(pair)
      await closed
    },
    async restore() {
      isSilent = false
      // Ends that closed during the silence are noticed now.
      for (const pair of pairs) if (hasLeft(pair)) cut(pair)
      if (!server.listening) await listen(server, ownPort)
    },
    async [Symbol.asyncDispose]() {
      server.close()
      for (const pair of pairs) cut(pair)
    },
  }
}

interface Pair {
  readonly near: Socket
  /** Undefined for a connection made during silence. */
  readonly far: Socket | undefined
  /** Nothing passes any more. */
  isDead: boolean
}

/** Both sides are read and discarded: a full buffer would reveal the break. */
function kill(pair: Pair): void {
  pair.isDead = true
  for (const socket of [pair.near, pair.far]) socket?.unpipe().resume()
}

function cut({ near, far }: Pair): void {
  // A socket that is sending its FIN cannot be reset: Node would drop it and leak its handle.
  if (near.writableEnded) near.destroy()
  else near.resetAndDestroy()
  far?.destroy()
}

const hasLeft = ({ near, far }: Pair) => near.readableEnded || near.destroyed || far?.destroyed === true

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
