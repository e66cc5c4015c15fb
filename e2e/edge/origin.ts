import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** A stand-in for playout nodes: it says what it likes, and counts what it was asked for. */
export interface Origin extends AsyncDisposable {
  /** The addresses that were asked for, in their order, by all ports. */
  readonly asked: readonly string[]
  /** Connections that were opened, by all ports. */
  connections(): number
  answerWith(answer: OriginAnswer): void
  start(): Promise<void>
  /** Gone from one moment to the next, with every connection. */
  stop(): Promise<void>
}

export interface OriginAnswer {
  readonly status: number
  readonly body: string
  readonly cacheControl: string
  /** The answer waits for it. */
  readonly after?: Promise<void>
}

export const PLAYLIST: OriginAnswer = { status: 200, body: '#EXTM3U\n', cacheControl: 'max-age=1' }

export async function startOrigin(ports: readonly number[]): Promise<Origin> {
  const asked: string[] = []
  let answer = PLAYLIST
  let connections = 0
  let servers: readonly Server[] = []
  const listen = async (port: number): Promise<Server> => {
    const server = createServer(async ({ url = '' }, response) => {
      asked.push(url)
      const { status, body, cacheControl, after } = answer
      await after
      response.writeHead(status, { 'cache-control': cacheControl, 'x-request-id': 'of-the-node' })
      response.end(body)
    })
    server.on('connection', () => (connections += 1))
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  }
  const origin: Origin = {
    asked,
    connections: () => connections,
    answerWith: (next) => {
      answer = next
    },
    start: async () => {
      servers = await Promise.all(ports.map(listen))
    },
    stop: async () => {
      for (const server of servers) server.closeAllConnections()
      await Promise.all(servers.map((server) => once(server.close(), 'close')))
      servers = []
    },
    [Symbol.asyncDispose]: () => origin.stop(),
  }
  await origin.start()
  return origin
}
