import { once } from 'node:events'
import { createServer, type Server } from 'node:http'

/** Stands in for playout nodes: returns configured answers, and records requests. */
export interface Origin extends AsyncDisposable {
  /** The requested paths of all ports, in order. */
  readonly requests: readonly string[]
  /** Connections opened, over all ports. */
  connections(): number
  /** Sets the answer of all ports. */
  answerWith(answer: OriginAnswer): void
  /** Sets the answer of one port, by its index. */
  answerAt(port: number, answer: OriginAnswer): void
  start(): Promise<void>
  /** Stops at once and closes every connection. */
  stop(): Promise<void>
}

export interface OriginAnswer {
  readonly status: number
  readonly body: string
  readonly cacheControl: string
  readonly retryAfter?: string
  readonly location?: string
  /** The answer is delayed until it resolves. */
  readonly after?: Promise<void>
}

export const PLAYLIST: OriginAnswer = { status: 200, body: '#EXTM3U\n', cacheControl: 'max-age=1' }

export async function startOrigin(ports: readonly number[]): Promise<Origin> {
  const requests: string[] = []
  const answers = ports.map(() => PLAYLIST)
  let connections = 0
  let servers: readonly Server[] = []
  const listen = async (port: number, index: number): Promise<Server> => {
    const server = createServer(async ({ url = '' }, response) => {
      requests.push(url)
      const { status, body, cacheControl, retryAfter, location, after } = answers[index]!
      await after
      response.writeHead(status, {
        'cache-control': cacheControl,
        'x-request-id': 'of-the-node',
        ...(retryAfter !== undefined && { 'retry-after': retryAfter }),
        ...(location !== undefined && { location }),
      })
      response.end(body)
    })
    server.on('connection', () => (connections += 1))
    await once(server.listen(port, '127.0.0.1'), 'listening')
    return server
  }
  const origin: Origin = {
    requests,
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
