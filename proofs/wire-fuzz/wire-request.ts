import { Agent, request as httpRequest } from 'node:http'

/** A request that is sent as it is, without corrections. */
export interface WireRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer | undefined
}

export interface WireAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: Buffer
}

/** The body parsed as JSON; undefined where it is not JSON. */
export function jsonOf({ body }: WireAnswer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

const ANSWER_TIMEOUT_MS = 20_000

/** Sends to one server over keep-alive connections. */
export function createSender(baseUrl: string, connections: number) {
  const { hostname, port } = new URL(baseUrl)
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = ({ method, path, headers, body }: WireRequest) =>
    new Promise<WireAnswer>((resolve, reject) => {
      // Node frames the body of a GET only with a Content-Length; unframed, it would be read as the next request.
      const framed = body === undefined ? headers : { ...headers, 'content-length': String(body.length) }
      const options = { hostname, port, method, path, headers: framed, agent, timeout: ANSWER_TIMEOUT_MS }
      const outgoing = httpRequest(options)
      let isAnswered = false
      outgoing.on('response', (response) => {
        isAnswered = true
        const { statusCode: status = 0, headers: received } = response
        // An event stream with follow does not end.
        const isStream = received['content-type']?.startsWith('text/event-stream') === true
        if (isStream && !path.includes('follow=false')) {
          response.destroy()
          resolve({ status, headers: received, body: Buffer.alloc(0) })
          return
        }
        const chunks: Buffer[] = []
        response.on('data', (chunk: Buffer) => chunks.push(chunk))
        response.on('error', reject)
        response.on('end', () => resolve({ status, headers: received, body: Buffer.concat(chunks) }))
      })
      outgoing.on('timeout', () => outgoing.destroy(new Error('no answer in time')))
      // An error response may close the connection while the rest of the body is still being sent.
      outgoing.on('error', (error) => {
        if (!isAnswered) reject(error)
      })
      outgoing.end(body)
    })
  return { send, close: () => agent.destroy() }
}
