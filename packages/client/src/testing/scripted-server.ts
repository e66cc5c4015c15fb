import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'

/** A request as the server received it. */
export interface Seen {
  readonly method: string
  readonly url: string
  readonly headers: IncomingHttpHeaders
  readonly body: unknown
}

export type Script = (request: Seen, response: ServerResponse) => void | Promise<void>

export interface ScriptedServer {
  readonly url: string
  readonly seen: readonly Seen[]
  /** The received requests whose path ends with this. */
  seenAt(path: string): Seen[]
  /** Resolves when that many requests whose path ends with this have been received. */
  untilSeen(path: string, count?: number): Promise<void>
}

/** A real server on a free port that answers by the script and is closed after the test. */
export async function startServer(t: TestContext, script: Script): Promise<ScriptedServer> {
  const seen: Seen[] = []
  const watchers = new Set<() => void>()
  const seenAt = (path: string) => seen.filter(({ url }) => url.split('?')[0]?.endsWith(path) === true)

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '', headers } = request
    const body = await text(request)
    const one = { method, url, headers, body: body === '' ? undefined : JSON.parse(body) }
    seen.push(one)
    for (const watch of watchers) watch()
    await script(one, response)
  }

  const server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })

  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  return {
    url: `http://127.0.0.1:${address.port}`,
    seen,
    seenAt,
    untilSeen: (path, count = 1) =>
      new Promise((resolve) => {
        const watch = () => {
          if (seenAt(path).length < count) return
          watchers.delete(watch)
          resolve()
        }
        watchers.add(watch)
        watch()
      }),
  }
}

export function json(response: ServerResponse, status: number, body: unknown, headers: object = {}): void {
  response.writeHead(status, { 'Content-Type': 'application/json', ...headers })
  response.end(JSON.stringify(body))
}

export function problem(response: ServerResponse, status: number, code: string, headers: object = {}): void {
  const detail = `Failed with ${code}`
  const body = { type: `/errors#${code}`, title: code, status, detail, message: detail, code }
  json(
    response,
    status,
    { ...body, instance: '/x', request_id: 'req-1' },
    { 'Content-Type': 'application/problem+json', ...headers },
  )
}

/** Answers the first request by the first step, and so on; the last step is repeated. */
export function inSequence(...steps: readonly Script[]): Script {
  let turn = 0
  return (request, response) => {
    const step = steps[Math.min(turn, steps.length - 1)]
    turn += 1
    return step?.(request, response)
  }
}

/** Closes the connection without an answer. */
export const hangUp: Script = (_, response) => {
  response.destroy()
}
