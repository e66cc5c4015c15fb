import { once } from 'node:events'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

/** A way to a server that a test can break. */
export interface Link extends AsyncDisposable {
  /** The address of the server, by way of the link. */
  readonly url: string
  /** How many connections were ever asked for. */
  connections(): number
  /**
   * Nothing passes any more and nobody is told, as when a network is gone.
   * Who connects is heard by nobody. Connections of this time, and those from
   * before it, are dead for good.
   */
  silence(): void
  /** Every connection breaks, and new ones are refused. */
  refuse(): Promise<void>
  /** New connections pass again, at the same address. */
  restore(): Promise<void>
}

/** Lets everything pass at first. A port of the caller's choice can be one that stays free while it is refused. */
export async function aLink(serverUrl: string, port = 0): Promise<Link> {
  const target = new URL(serverUrl)
  const pairs = new Set<Pair>()
  let isSilent = false // written by silence and restore only
  let connections = 0

  // Half open: in silence nobody hears a goodbye, and so nobody answers one.
  const server = createServer({ allowHalfOpen: true }, (near) => {
    connections += 1
    const far = isSilent ? undefined : connect(Number(target.port), target.hostname)
    const pair = { near, far, isDead: isSilent }
    pairs.add(pair)
    const endIfHeard = () => {
      if (isSilent) return
      cut(pair)
      pairs.delete(pair)
    }
    for (const socket of [near, far]) socket?.on('error', () => {}).on('close', endIfHeard)
    // What is alive ends as its ends do.
    near.on('end', () => pair.isDead && endIfHeard())
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
    async refuse() {
      const closed = once(server, 'close')
      server.close()
      for (const pair of pairs) cut(pair)
      await closed
    },
    async restore() {
      isSilent = false
      // Who went away unheard is heard now.
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
  /** Undefined for one that was made in silence. */
  readonly far: Socket | undefined
  /** Nothing passes, for good. */
  isDead: boolean
}

/** Both sides are read and forgotten: a full buffer would tell them. */
function kill(pair: Pair): void {
  pair.isDead = true
  for (const socket of [pair.near, pair.far]) socket?.unpipe().resume()
}

function cut({ near, far }: Pair): void {
  // A socket that is sending its end cannot be reset: Node would drop it and leave its handle open, for good.
  if (near.writableEnded) near.destroy()
  else near.resetAndDestroy()
  far?.destroy()
}

const hasLeft = ({ near, far }: Pair) => near.readableEnded || near.destroyed || far?.destroyed === true

async function listen(server: Server, port: number): Promise<void> {
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
}
