import { once } from 'node:events'
import { chmod, mkdtemp, readFile, rm } from 'node:fs/promises'
import { Agent, createServer, type Server } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { findLastingPorts } from '@continuity/dev/lasting-ports'
import { startNginx } from '@continuity/dev/nginx'
import { pollUntil } from '@continuity/dev/waiting'
import { sendRaw } from '../send-raw.ts'

export const CHANNEL = '/channels/0190b6f0-8d2a-7c3e-9a41-5d1f6b7c8e90/direct'
export const MEDIA = `${CHANNEL}/720p.m3u8`
export const PICTURE = `${CHANNEL}/now.jpg`
export const MULTIVARIANT = `${CHANNEL}/index.m3u8`

/** The parts of an answer that these tests check. */
export interface Viewed {
  readonly status: number
  readonly cache: string
  readonly body: string
  readonly requestId: string
  readonly retryAfter: string
  readonly location: string
}

export interface Edge {
  readonly origin: Origin
  request(path: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Viewed>
  /** Repeats a request until the answer is as wanted; returns the last answer at the timeout. */
  requestUntil(path: string, isWanted: (viewed: Viewed) => boolean): Promise<Viewed>
  /** The lines of the viewers' log, once there are so many. */
  readLog(lines: number): Promise<readonly LogLine[]>
}

export type LogLine = Readonly<Record<string, string | number>>

/** More than the cache time of one or two seconds plus the flush interval of the log. */
const PATIENCE_MS = 10_000

/** Starts nginx with our shipped configuration in front of two ports of an origin. */
export async function anEdge(t: TestContext): Promise<Edge> {
  const opened = new AsyncDisposableStack()
  t.after(() => opened.disposeAsync())
  const parent = await mkdtemp(join(tmpdir(), 'continuity-edge-'))
  opened.defer(() => rm(parent, { recursive: true, force: true }))
  await chmod(parent, 0o711)
  const folder = join(parent, 'nginx')
  const [port1, port2, port] = await findLastingPorts()
  const ports = [port1, port2] as const
  const origin = opened.use(await startOrigin(ports))
  const nginx = await startNginx({ folder, port, apiPorts: ports, playoutPorts: ports, keepaliveMs: 1_000 })
  opened.defer(() => nginx.stop())
  const agent = new Agent({ keepAlive: true })
  opened.defer(() => agent.destroy())

  const request: Edge['request'] = async (path, headers = {}, method = 'GET') => {
    const answer = await sendRaw(port, agent, { method, path, headers })
    return {
      status: answer.status,
      cache: String(answer.headers['x-cache-status'] ?? 'none'),
      body: answer.body,
      requestId: String(answer.headers['x-request-id'] ?? 'none'),
      retryAfter: answer.headers['retry-after'] ?? 'none',
      location: answer.headers.location ?? 'none',
    }
  }
  return {
    origin,
    request,
    async requestUntil(path, isWanted) {
      let last = await request(path)
      const check = async () => {
        last = await request(path)
        return isWanted(last) || undefined
      }
      if (!isWanted(last)) await pollUntil(check, PATIENCE_MS)
      return last
    },
    async readLog(lines) {
      const check = async () => {
        const read = await readLines(join(folder, 'viewers.log'))
        return read.length >= lines ? read : undefined
      }
      return (await pollUntil(check, PATIENCE_MS)) ?? []
    },
  }
}

async function readLines(file: string): Promise<LogLine[]> {
  const text = await readFile(file, 'utf8').catch(() => '')
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LogLine)
}

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

async function startOrigin(ports: readonly number[]): Promise<Origin> {
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
