import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationList, operations, prefixOf } from '@continuity/contract'
import { aRecorder, aServer, listen, put } from './testing/a-server.ts'
import { aToken, credentialHeaders, NOW_MS } from './testing/credentials.ts'
import { aRequest, assertProblem, exchange, openSocket } from './testing/wire.ts'

const { listSeries, listLiveSources, reportAnalytics, login, scheduleProgram } = operations
const series = '/api/2.1/series'
const sources = '/api/2.3/live_sources'
const report = '/api/2.3/reports/analytics?from=2026-03-01&to=2026-03-01'

test('both spellings of the device header are accepted by both versions, in any case', async (t) => {
  const { server } = aServer(t)
  put(server, listSeries, aRecorder(listSeries).handler)
  put(server, listLiveSources, aRecorder(listLiveSources).handler)
  const port = await listen(server)

  for (const device of ['X-Service-Device', 'x-service-deviceid', 'X-SERVICE-DEVICEID', 'x-service-DEVICE']) {
    for (const path of [series, sources]) {
      const headers = { 'X-Service-AUTH': aToken(), [device]: 'device-1' }
      const answer = await exchange(port, aRequest(`GET ${path}`, headers))
      assert.equal(answer.statusCode, 200, `${device} ${path}`)
    }
  }
})

test('the handler gets the principal', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(listSeries)
  put(server, listSeries, handler)

  await server.inject({
    url: series,
    headers: credentialHeaders({ accountId: 'account-7', roles: ['ROLE_USER'] }),
  })

  assert.equal(calls[0]?.principal?.accountId, 'account-7')
  assert.deepEqual(calls[0]?.principal?.roles, ['ROLE_USER'])
  assert.equal(calls[0]?.nowMs, NOW_MS)
})

test('a request without a credential or device is rejected with what to send', async (t) => {
  const { server } = aServer(t)
  put(server, listSeries, aRecorder(listSeries).handler)

  for (const headers of [
    {},
    { 'x-service-device': 'device-1' },
    { 'x-service-auth': aToken() },
    { 'x-service-auth': '', 'x-service-device': 'device-1' },
    { authorization: `Bearer ${aToken()}`, 'x-service-device': 'device-1' },
  ]) {
    const answer = await server.inject({ url: series, headers })
    const problem = assertProblem(answer, 401, 'credential.missing')
    assert.equal(answer.headers['www-authenticate'], 'X-Service-Auth')
    assert.match(problem.detail, /X-Service-Auth .* X-Service-Device or X-Service-DeviceId/)
  }
})

test('a repeated header is not a valid credential or device', async (t) => {
  const { server } = aServer(t)
  put(server, listSeries, aRecorder(listSeries).handler)
  const port = await listen(server)
  const auth = `x-service-auth: ${aToken()}\r\n`
  const device = 'x-service-device: device-1\r\n'

  for (const lines of [auth + auth + device, auth + device + device]) {
    const request = `GET ${series} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n${lines}\r\n`
    assertProblem(await exchange(port, request), 401, 'credential.invalid')
  }
})

test('the credential of one device is invalid for another', async (t) => {
  const { server } = aServer(t)
  put(server, listSeries, aRecorder(listSeries).handler)

  for (const device of ['device-2', 'DEVICE-1', '', 'device-1,device-1']) {
    const headers = { ...credentialHeaders(), 'x-service-device': device }
    assertProblem(await server.inject({ url: series, headers }), 401, 'credential.invalid')
  }
})

test('where both spellings are sent, both must name the device', async (t) => {
  const { server } = aServer(t)
  put(server, listSeries, aRecorder(listSeries).handler)
  const send = (headers: Record<string, string>) =>
    server.inject({ url: series, headers: { ...credentialHeaders(), ...headers } })

  assert.equal((await send({ 'x-service-deviceid': 'device-1' })).statusCode, 200)
  assertProblem(await send({ 'x-service-deviceid': 'device-2' }), 401, 'credential.invalid')
  assertProblem(
    await send({ 'x-service-device': 'device-2', 'x-service-deviceid': 'device-1' }),
    401,
    'credential.invalid',
  )
})

test('an expired credential has its own code, because it can be renewed', async (t) => {
  const { server } = aServer(t)
  put(server, listSeries, aRecorder(listSeries).handler)

  const answer = await server.inject({ url: series, headers: credentialHeaders({ expiresMs: NOW_MS }) })

  assert.match(assertProblem(answer, 401, 'credential.expired').detail, /POST \/api\/2\.1\/auth\/refresh/)
})

test('a missing role is named', async (t) => {
  const { server } = aServer(t)
  put(server, listLiveSources, aRecorder(listLiveSources).handler)

  const answer = await server.inject({
    url: sources,
    headers: credentialHeaders({ roles: ['ROLE_ANONYMOUS'] }),
  })

  const problem = assertProblem(answer, 403, 'role.missing')
  assert.equal(problem.detail, 'This needs the role ROLE_ADMIN or ROLE_OPERATOR or ROLE_USER or SCHEDULE.')
})

test('reports need the role SCHEDULE', async (t) => {
  const { server } = aServer(t)
  put(server, reportAnalytics, aRecorder(reportAnalytics).handler)
  const send = (roles: string[]) => server.inject({ url: report, headers: credentialHeaders({ roles }) })

  assert.equal((await send(['SCHEDULE'])).statusCode, 200)
  for (const roles of [['ROLE_ADMIN'], ['ROLE_OPERATOR', 'ROLE_USER'], [], ['schedule'], ['ROLE_SCHEDULE']]) {
    const problem = assertProblem(await send(roles), 403, 'role.missing')
    assert.equal(problem.detail, 'This needs the role SCHEDULE.')
  }
  const reports = operationList.filter((e) => e.group === 'Reports')
  for (const e of reports) assert.deepEqual(e.access, ['SCHEDULE'], e.id)
})

test('a catalog read accepts any valid credential, also one without a role', async (t) => {
  const { server } = aServer(t)
  put(server, listSeries, aRecorder(listSeries).handler)

  const answer = await server.inject({ url: series, headers: credentialHeaders({ roles: [] }) })

  assert.equal(answer.statusCode, 200)
})

test('a public operation needs no credential and ignores one', async (t) => {
  const { server } = aServer(t)
  const { calls, handler } = aRecorder(login)
  put(server, login, handler)

  const answer = await server.inject({
    method: 'POST',
    url: prefixOf(login.version) + login.path,
    headers: { 'x-service-auth': 'nonsense' },
    payload: login.example.body,
  })

  assert.equal(answer.statusCode, 200)
  assert.equal(calls[0]?.principal, undefined)
})

test('the credential is checked before the body has arrived', async (t) => {
  const { server, log } = aServer(t)
  put(server, scheduleProgram, aRecorder(scheduleProgram).handler)
  const port = await listen(server)

  await openSocket(
    port,
    aRequest('POST /api/2.1/automation/schedule', {
      'content-type': 'application/json',
      'content-length': '5000000',
      connection: 'keep-alive',
    }),
  )
  const line = await log.find(({ route }) => route === '/api/2.1/automation/schedule')

  assert.equal(line['status'], 401)
})
