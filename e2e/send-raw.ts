import { type Agent, type IncomingHttpHeaders, request as openRequest } from 'node:http'

/** A request that is sent as it is, without corrections. */
export interface RawRequest {
  readonly method: string
  readonly path: string
  /** A list is a header that is sent several times. */
  readonly headers?: Readonly<Record<string, string | readonly string[]>>
  readonly body?: string | undefined
}

export interface RawAnswer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

const TIMEOUT_MS = 20_000

/** Sends once to a port of this machine, by a connection of its own without an agent. An incomplete answer is an error. */
export function sendRaw(port: number, agent: Agent | false, sent: RawRequest): Promise<RawAnswer> {
  const { method, path, headers = {}, body } = sent
  return new Promise((resolve, reject) => {
    // Node frames the body of a GET only with a Content-Length; unframed, it would be read as the next request.
    const length = body === undefined ? {} : { 'content-length': `${Buffer.byteLength(body)}` }
    const outgoing = openRequest({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      headers: { ...(headers as Record<string, string>), ...length },
      timeout: TIMEOUT_MS,
    })
    outgoing.once('timeout', () => outgoing.destroy(new Error('no answer in time')))
    outgoing.once('response', async (response) => {
      const { statusCode: status = 0, headers } = response
      // What follows events does not end.
      const isStream = headers['content-type']?.startsWith('text/event-stream') === true
      if (isStream && !path.includes('follow=false')) {
        response.destroy()
        resolve({ status, headers, body: '' })
        return
      }
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.once('error', reject)
      response.once('end', () => resolve({ status, headers, body: Buffer.concat(chunks).toString() }))
    })
    // It may come after a rejection, while the rest of the body is still being sent.
    outgoing.on('error', reject)
    outgoing.end(body)
  })
}
