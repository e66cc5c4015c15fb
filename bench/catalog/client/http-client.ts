import { Agent, request } from 'node:http'

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PATCH'
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface HttpAnswer {
  readonly status: number
  readonly text: string
  /** From the first byte sent to the last byte received. */
  readonly tookMs: number
}

/** A client with persistent connections. */
export interface HttpClient extends Disposable {
  send(order: HttpRequest): Promise<HttpAnswer>
}

export function openHttpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(baseUrl)
  return {
    send: ({ method, path, headers, body }) =>
      new Promise((resolve, reject) => {
        const startMs = performance.now()
        const sent = request({ agent, hostname, port, method, path, headers }, (answer) => {
          const parts: Buffer[] = []
          answer.on('data', (part: Buffer) => parts.push(part))
          answer.on('error', reject)
          answer.on('end', () => {
            const tookMs = performance.now() - startMs
            resolve({ status: answer.statusCode ?? 0, text: Buffer.concat(parts).toString(), tookMs })
          })
        })
        sent.on('error', reject)
        sent.end(body)
      }),
    [Symbol.dispose]: () => agent.destroy(),
  }
}

/** Throws on anything but success: a rejection is fast, and would count as a fast answer. */
export async function sendExpectingSuccess(client: HttpClient, request: HttpRequest): Promise<HttpAnswer> {
  const answer = await client.send(request)
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new Error(`${request.method} ${request.path} failed with ${answer.status}: ${answer.text}`)
}
