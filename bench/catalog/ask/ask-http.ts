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
  /** From the first byte that was sent to the last that came. */
  readonly tookMs: number
}

/** A client that keeps its connections. */
export interface HttpClient extends Disposable {
  ask(order: HttpRequest): Promise<HttpAnswer>
}

export function openHttpClient(baseUrl: string): HttpClient {
  const agent = new Agent({ keepAlive: true })
  const { hostname, port } = new URL(baseUrl)
  return {
    ask: ({ method, path, headers, body }) =>
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

/** Fails at anything that is no success: a refusal is quick, and would be counted as a quick answer. */
export async function askWell(client: HttpClient, order: HttpRequest): Promise<HttpAnswer> {
  const answer = await client.ask(order)
  if (answer.status >= 200 && answer.status < 300) return answer
  throw new Error(`${order.method} ${order.path} was answered ${answer.status}: ${answer.text}`)
}
