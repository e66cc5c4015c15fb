import type { IncomingMessage, ServerResponse } from 'node:http'
import { aServer } from '../../../platform/guarded-fetch/testing/a-server.ts'

export interface Received {
  readonly id: string
  readonly type: string
  readonly subjectId: string
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

export type Respond = (received: Received, response: ServerResponse) => void

export interface Endpoint extends AsyncDisposable {
  readonly url: string
  readonly port: number
  readonly received: readonly Received[]
  /** From now on. */
  respondWith(respond: Respond): void
}

/** A receiver of webhooks that keeps what it gets. */
export async function anEndpoint(respond: Respond = (_, response) => response.end('ok')): Promise<Endpoint> {
  const received: Received[] = []
  let current = respond
  const server = await aServer(async (request: IncomingMessage, response) => {
    const body = (await request.toArray()).map(String).join('')
    const { type, subject_id } = JSON.parse(body) as { type: string; subject_id: string }
    const headers = request.headers as Record<string, string>
    const one = { id: headers['webhook-id']!, type, subjectId: subject_id, body, headers }
    received.push(one)
    current(one, response)
  })
  return {
    url: `${server.origin}/hook`,
    port: server.port,
    received,
    respondWith: (next) => {
      current = next
    },
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

/** Waits for what a worker does. */
export async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 60_000
  while (!(await isSo())) {
    if (performance.now() > endMs) throw new Error('it did not come about within 60 s')
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
