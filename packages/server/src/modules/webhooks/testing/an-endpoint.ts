import type { IncomingMessage, ServerResponse } from 'node:http'
import { aServer } from '../../../platform/outbound/testing/a-server.ts'

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
  /** Replaces the response for later requests. */
  respondWith(respond: Respond): void
}

/** A webhook endpoint that records its requests. */
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

/**
 * Polls a condition. On a busy machine a turn or an attempt may fail, and is repeated when its lease or its pause is over:
 * `onLate` can move a fixed clock past that. It is called after 20 s and every 5 s from then on.
 */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  onLate: () => void = () => {},
): Promise<void> {
  const startMs = performance.now()
  let lateMs = 20_000
  while (!(await isSo())) {
    const waitedMs = performance.now() - startMs
    if (waitedMs > 60_000) throw new Error('timed out after 60 s')
    if (waitedMs > lateMs) {
      lateMs += 5_000
      onLate()
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
