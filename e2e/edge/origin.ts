import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** A stand-in for playout nodes: it says what it likes, and counts what it was asked for. */
export interface Origin extends AsyncDisposable {
  /** The addresses that were asked for, in their order, by all ports. */
  readonly asked: readonly string[]
  /** Connections that were opened, by all ports. */
  connections(): number
  /** What all ports answer from now on. */
  answerWith(answer: OriginAnswer): void
  /** What one of the ports answers from now on, by its index. */
  answerAt(port: number, answer: OriginAnswer): void
  start(): Promise<void>
  /** Gone from one moment to the next, with every connection. */
  stop(): Promise<void>
}

export interface OriginAnswer {
  readonly status: number
  readonly body: string
  readonly cacheControl: string
  readonly retryAfter?: string
  /** The answer waits for it. */
  readonly after?: Promise<void>
}

export const PLAYLIST: OriginAnswer = { status: 200, body: '#EXTM3U\n', cacheControl: 'max-age=1' }

export async function startOrigin(ports: readonly number[]): Promise<Origin> {
  const asked: string[] = []
  const answers = ports.map(() => PLAYLIST)
  let connections = 0
  let servers: readonly Server[] = []
  const listen = async (port: number, index: number): Promise<Server> => {
    const server = createServer(async ({ url = '' }, response) => {
      asked.push(url)
      const { status, body, cacheControl, retryAfter, after } = answers[index]!
      await after
      const headers = { 'cache-control': cacheControl, 'x-request-id': 'of-the-node' }
      response.writeHead(
        status,
        retryAfter === undefined ? headers : { ...headers, 'retry-after': retryAfter },
      )
      response.end(body)
    })
    server.on('connection', () => (connections += 1))
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  }
  const origin: Origin = {
    asked,
    connections: () => connections,
    answerWith: (next) => void answers.fill(next),
    answerAt: (port, next) => {
      answers[port] = next
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
