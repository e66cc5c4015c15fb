import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

export interface Received {
  readonly body: unknown
  readonly query: Readonly<Record<string, string>>
  readonly idempotencyKey: string | undefined
}

export interface Reply {
  readonly status: number
  readonly json?: unknown
}

/** An error response of the API. */
export const aProblem = (
  status: number,
  code: string,
  detail: string,
  errors: readonly unknown[] = [],
): Reply => ({
  status,
  json: {
    type: 'about:blank',
    title: detail,
    status,
    code,
    detail,
    message: detail,
    instance: '',
    request_id: 'r-1',
    errors,
  },
})

/**
 * A service that accepts any login, and answers operations by method and path: always the same, or what a function
 * returns for the request.
 */
export async function aService(t: TestContext, answers: Readonly<Record<string, unknown>>) {
  const requests: [string, unknown][] = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).map(String).join('')
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://service.example')
    const name = `${request.method} ${pathname.replace('/api/2.3', '')}`
    response.setHeader('content-type', 'application/json')
    if (pathname.endsWith('/auth/login')) {
      const token = { token_access: 'access', token_refresh: 'refresh', roles: ['ROLE_ADMIN'] }
      return response.end(JSON.stringify({ country: 'DE', user_agent: 'test', device_id: 'd-1', token }))
    }
    const body: unknown = text === '' ? undefined : JSON.parse(text)
    requests.push([name, body])
    const answer = answers[name]
    if (typeof answer === 'function') {
      const key = request.headers['idempotency-key']
      const query = Object.fromEntries(searchParams)
      const received: Received = { body, query, idempotencyKey: key === undefined ? undefined : String(key) }
      const { status, json } = (answer as (received: Received) => Reply)(received)
      if (status >= 400) response.setHeader('content-type', 'application/problem+json')
      return response.writeHead(status).end(json === undefined ? '' : JSON.stringify(json))
    }
    return answer === undefined ? response.writeHead(404).end() : response.end(JSON.stringify(answer))
  })
  const env = await startService(t, server)
  return { env, requests }
}

/** Listens until the test ends. Returns the settings with which the CLI finds the service. */
export async function startService(
  t: TestContext,
  server: Server,
): Promise<Readonly<Record<string, string>>> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    CONTINUITY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CONTINUITY_ACCOUNT: 'north',
    CONTINUITY_EMAIL: 'a@north.example',
    CONTINUITY_PASSWORD: 'tide-table-7',
  }
}
