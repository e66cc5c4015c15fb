import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createSocketServer, type Server, type Socket } from 'node:net'

/** A request that an endpoint received. */
export interface Arrival {
  readonly atMs: number
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export interface Endpoint extends AsyncDisposable {
  /** `127.0.0.1:PORT`, as in the outbound client's allow list. */
  readonly host: string
  readonly url: string
  readonly arrivals: readonly Arrival[]
  /** Requests without a response yet. */
  inFlight(): number
}

type Respond = (arrival: Arrival, response: ServerResponse, earlier: number) => void

/** An endpoint that records its requests; `earlier` counts previous requests with the same id. */
export async function startEndpoint(respond: Respond): Promise<Endpoint> {
  const arrivals: Arrival[] = []
  const times = new Map<string, number>()
  let inFlight = 0
  const server = createServer(async (request: IncomingMessage, response) => {
    inFlight += 1
    response.once('close', () => {
      inFlight -= 1
    })
    const body = (await request.toArray()).map(String).join('')
    const arrival = { atMs: performance.now(), body, headers: request.headers as Record<string, string> }
    const id = arrival.headers['webhook-id'] ?? ''
    const earlier = times.get(id) ?? 0
    times.set(id, earlier + 1)
    arrivals.push(arrival)
    respond(arrival, response, earlier)
  })
  return { ...(await listen(server)), arrivals, inFlight: () => inFlight }
}

/** Accepts connections and never reads from them. */
export async function startSilentEndpoint(): Promise<Endpoint> {
  const server = createSocketServer({ pauseOnConnect: true }, () => {})
  return { ...(await listen(server)), arrivals: [], inFlight: () => 0 }
}

async function listen(server: Server) {
  const open = new Set<Socket>()
  server.on('connection', (socket) => {
    open.add(socket)
    socket.on('error', () => {}).on('close', () => open.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    host: `127.0.0.1:${port}`,
    url: `http://127.0.0.1:${port}/hook`,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
