import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'
import type { TestContext } from 'node:test'
import type { RequestStatus } from '@continuity/client'
import { requestId } from './a-status.ts'

/** A status to answer with, an error response, or a closed connection. */
export type Step = RequestStatus | { readonly code: string; readonly status: number } | 'hang up'

export interface Service {
  /** The environment variables to log in with. */
  readonly env: Readonly<Record<string, string>>
  /** The bodies that were submitted. */
  readonly submitted: readonly unknown[]
}

const session = {
  country: 'DE',
  user_agent: 'test',
  device_id: 'd-1',
  token: { token_access: 'access', token_refresh: 'refresh', roles: ['SCHEDULE'] },
}

/** A server that accepts every program and answers status requests with one step after another; the last is repeated. */
export async function aService(
  t: TestContext,
  course: readonly Step[],
  onPoll: (times: number) => void = () => undefined,
): Promise<Service> {
  const submitted: unknown[] = []
  let turn = 0

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await text(request)
    if (request.url?.endsWith('/auth/login') === true) return json(response, 200, session)
    if (request.method === 'POST') {
      submitted.push(JSON.parse(body))
      return json(response, 202, { request_id: requestId, message: 'The schedule is queued for processing.' })
    }
    assert.ok(request.url?.endsWith(`/automation/schedule/${requestId}`), request.url)
    const step = course[Math.min(turn, course.length - 1)]
    turn += 1
    onPoll(turn)
    if (step === undefined || step === 'hang up') return void response.destroy()
    if ('code' in step) return sendError(response, step.status, step.code)
    json(response, 200, step)
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
    env: {
      CONTINUITY_URL: `http://127.0.0.1:${address.port}`,
      CONTINUITY_ACCOUNT: 'north',
      CONTINUITY_EMAIL: 'a@north.example',
      CONTINUITY_PASSWORD: 'tide-table-7',
    },
    submitted,
  }
}

function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body))
}

function sendError(response: ServerResponse, status: number, code: string): void {
  const detail = `Failed with ${code}.`
  const problem = { type: `/errors#${code}`, title: code, status, detail, message: detail, code }
  json(response, status, { ...problem, instance: '/x', request_id: 'req-1' })
}
