import { type Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http'

/** After this time the request has failed. */
const TIMEOUT_MS = 10_000

export interface Request {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  /** Every right answer is the same to the byte. */
  readonly isFixed: boolean
}

export interface Answer {
  readonly status: number
  readonly type: string
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

export interface Sending {
  readonly port: number
  /** False for a connection of its own. */
  readonly agent: Agent | false
  /** The X-Request-Id, which is in all logs. */
  readonly id: string
  readonly request: Request
  /** The pause before the second half of the body. */
  readonly bodyPauseMs?: number
}

/** Sends once, without retries. An incomplete answer is an error. */
export async function send({ port, agent, id, request, bodyPauseMs }: Sending): Promise<Answer> {
  const { method, path, headers, body } = request
  return new Promise((resolve, reject) => {
    const outgoing = openRequest({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: { ...headers, 'x-request-id': id },
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    outgoing.once('error', reject)
    outgoing.once('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          type: response.headers['content-type'] ?? 'no type',
          headers: response.headers,
          body: Buffer.concat(chunks),
        }),
      )
    })
    // With its length, because the proxy treats a chunked body differently.
    if (body !== undefined) outgoing.setHeader('content-length', Buffer.byteLength(body))
    if (body === undefined || bodyPauseMs === undefined) {
      outgoing.end(body)
      return
    }
    const half = Math.floor(body.length / 2)
    outgoing.write(body.slice(0, half))
    setTimeout(() => outgoing.end(body.slice(half)), bodyPauseMs)
  })
}

/** For clients beside the load: their idle connections would delay a process that drains. */
export async function fetchOnce(url: string, init: RequestInit): Promise<Response> {
  const headers = new Headers(init.headers)
  headers.set('connection', 'close')
  return fetch(url, { ...init, headers })
}
