import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { operations } from '@continuity/contract'
import { startService } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'

/** A service that accepts any login, and gives these answers one after another. */
async function aService(t: TestContext, answers: readonly unknown[]) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    const token = { token_access: 'access', token_refresh: 'refresh', roles: ['SCHEDULE'] }
    const isLogin = request.url?.endsWith('/auth/login') === true
    if (!isLogin) requests.push(String(request.url))
    const body = isLogin
      ? { country: 'DE', user_agent: 'test', device_id: 'd-1', token }
      : answers[requests.length - 1]
    response.setHeader('content-type', 'application/json').end(JSON.stringify(body))
  })
  const env = await startService(t, server)
  return { env, requests }
}

const { answer: page } = operations.listPrograms.example
const onPage = (mark: string | null) => ({ ...page, page: { ...page.page, page_mark: mark } })

test('schedule list reads all pages', async (t) => {
  const { env, requests } = await aService(t, [onPage('next'), onPage(null)])

  const { exitCode, printed } = await runLine('schedule list one --from 2026-03-01T18:00:00Z', { env })

  assert.equal(exitCode, 0)
  assert.deepEqual(requests, [
    '/api/2.3/linear_channels/one/programs?from=2026-03-01T18%3A00%3A00Z&page_size=50&page_offset=0',
    '/api/2.3/linear_channels/one/programs?from=2026-03-01T18%3A00%3A00Z&page_size=50&page_offset=next',
  ])
  assert.equal(printed.split('Harbour Nights').length - 1, 2)
})

test('now shows what is on air and the time that is left, and an override has none', async (t) => {
  const { answer } = operations.readOnAirNow.example
  const override = { ...answer, program: { ...answer.program, end_time: null, time_left_ms: null } }
  const { env } = await aService(t, [answer, override, { ...answer, program: null, component: null }])

  const lines = []
  for (let at = 0; at < 3; at += 1) lines.push((await runLine('now one', { env })).printed)

  assert.match(lines[0]!, /Harbour Nights, 20:00 left/)
  assert.match(lines[0]!, /The Tide Table, 14:00 left/)
  assert.match(lines[1]!, /Harbour Nights, without an end/)
  assert.match(lines[2]!, /off air/)
})
