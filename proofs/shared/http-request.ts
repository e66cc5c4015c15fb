import { type Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http'

/** A request that is sent as it is, without corrections. */
export interface HttpRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer | undefined
}

export interface HttpAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: Buffer
}

interface Sending {
  readonly url: string
  /** False for a connection of its own. */
  readonly agent: Agent | false
  readonly timeoutMs: number
  /** The pause before the second half of the body. */
  readonly bodyPauseMs?: number
  /** Whether the body of an answer is not read, because it does not end. */
  readonly isEndless?: (headers: IncomingHttpHeaders) => boolean
}

/** Sends once, without retries. An incomplete answer is an error. */
export function sendRequest({ method, path, headers, body }: HttpRequest, options: Sending) {
  const { hostname, port } = new URL(options.url)
  return new Promise<HttpAnswer>((resolve, reject) => {
    const outgoing = openRequest({
      hostname,
      port,
      agent: options.agent,
      method,
      path,
      // Always with its length: a proxy treats a chunked body differently, and Node frames that of a GET only so.
      headers: body === undefined ? headers : { ...headers, 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(options.timeoutMs),
    })
    let isAnswered = false
    outgoing.on('response', (response) => {
      isAnswered = true
      const { statusCode: status = 0, headers: received } = response
      const chunks: Buffer[] = []
      if (options.isEndless?.(received) === true) {
        response.destroy()
        resolve({ status, headers: received, body: Buffer.alloc(0) })
        return
      }
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('error', reject)
      response.on('end', () => resolve({ status, headers: received, body: Buffer.concat(chunks) }))
    })
    // An error response may close the connection while the rest of the body is still being sent.
    outgoing.on('error', (error) => {
      if (!isAnswered) reject(error)
    })
    if (body === undefined || options.bodyPauseMs === undefined) {
      outgoing.end(body)
      return
    }
    const half = Math.floor(body.length / 2)
    outgoing.write(body.slice(0, half))
    setTimeout(() => outgoing.end(body.slice(half)), options.bodyPauseMs)
  })
}
