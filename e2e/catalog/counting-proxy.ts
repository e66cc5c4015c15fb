import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'

export interface CountingProxy extends AsyncDisposable {
  readonly url: string
  /**
   * Calls back when so many more requests have had their effect. The last of them
   * gets no answer, so that its caller cannot know that it was carried out.
   */
  afterRequests(count: number, act: () => void): void
}

/** A proxy between a client and the API. */
export async function startCountingProxy(target: string): Promise<CountingProxy> {
  let left = Infinity
  let reached = () => {}

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/', headers } = request
    const body = await buffer(request)
    const { host: _, connection: __, ...own } = headers
    const answer = await fetch(target + url, {
      method,
      headers: own as Record<string, string>,
      ...(body.length > 0 ? { body } : {}),
    })
    const answered = Buffer.from(await answer.arrayBuffer())
    left -= 1
    if (left === 0) {
      reached()
      response.destroy()
      return
    }
    const kept = ['content-type', 'etag', 'retry-after'].flatMap((name) => {
      const value = answer.headers.get(name)
      return value === null ? [] : [[name, value] as const]
    })
    response.writeHead(answer.status, Object.fromEntries(kept)).end(answered)
  }

  // The client may be killed in the middle of a request.
  const server = createServer(
    (request, response) => void pass(request, response).catch(() => response.destroy()),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    url: `http://127.0.0.1:${address.port}`,
    afterRequests(count, act) {
      left = count
      reached = act
    },
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  }
}
