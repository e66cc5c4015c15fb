import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'

/** A service that accepts any login, and answers operations by method and path. */
export async function aService(t: TestContext, answers: Readonly<Record<string, unknown>>) {
  const requests: [string, unknown][] = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).map(String).join('')
    const { pathname } = new URL(request.url ?? '', 'http://service.example')
    const name = `${request.method} ${pathname.replace('/api/2.3', '')}`
    response.setHeader('content-type', 'application/json')
    if (pathname.endsWith('/auth/login')) {
      const token = { token_access: 'access', token_refresh: 'refresh', roles: ['ROLE_ADMIN'] }
      return response.end(JSON.stringify({ country: 'DE', user_agent: 'test', device_id: 'd-1', token }))
    }
    requests.push([name, text === '' ? undefined : JSON.parse(text)])
    const answer = answers[name]
    return answer === undefined ? response.writeHead(404).end() : response.end(JSON.stringify(answer))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const env = {
    CONTINUITY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CONTINUITY_ACCOUNT: 'north',
    CONTINUITY_EMAIL: 'a@north.example',
    CONTINUITY_PASSWORD: 'tide-table-7',
  }
  return { env, requests }
}
