import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runLine } from '../testing/a-world.ts'

/** A service that accepts any login, and gives every report the same answer. */
async function aService(t: TestContext, answer: (response: ServerResponse) => void) {
  const requests: string[] = []
  const server = createServer((request, response) => {
    if (request.url?.endsWith('/auth/login') === true) {
      const token = { token_access: 'access', token_refresh: 'refresh', roles: ['SCHEDULE'] }
      const session = { country: 'DE', user_agent: 'test', device_id: 'd-1', token }
      response.setHeader('content-type', 'application/json').end(JSON.stringify(session))
      return
    }
    requests.push(`${request.url} ${request.headers.accept}`)
    answer(response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const folder = mkdtempSync(join(tmpdir(), 'continuity-report-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const env = {
    CONTINUITY_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    CONTINUITY_ACCOUNT: 'north',
    CONTINUITY_EMAIL: 'a@north.example',
    CONTINUITY_PASSWORD: 'tide-table-7',
  }
  return { env, requests, file: join(folder, 'report.csv') }
}

test('writes a report to a file, with the given options', async (t) => {
  const csv = 'timestamp,minutes_watched\r\n2026-03-01T00:00:00.000Z,1.000\r\n'
  const { env, requests, file } = await aService(t, (response) => response.end(csv))

  const line = `report analytics --from 2026-03-01 --to 2026-03-02 --minutes --countries --out ${file}`
  const { exitCode, printed } = await runLine(line, { env })

  assert.equal(exitCode, 0)
  assert.deepEqual(requests, [
    '/api/2.3/reports/analytics?from=2026-03-01&to=2026-03-02&time_frame=minute&include_countries=true text/csv',
  ])
  assert.equal(readFileSync(file, 'utf8'), csv)
  assert.match(printed, /rows +1\n/)
})

test('without --to the report covers one day, and --format sets the media type', async (t) => {
  const { env, requests } = await aService(t, (response) => response.end('{}\n'))

  await runLine('report schedule --from 2026-03-01 --format ndjson --of 41', { env })
  await runLine('report starts --from 2026-03-01 --format json', { env })

  assert.deepEqual(requests, [
    '/api/2.3/reports/component/schedules?from=2026-03-01&to=2026-03-01&component_reference_id=41 application/x-ndjson',
    '/api/2.3/reports/analytics/channels?from=2026-03-01&to=2026-03-01 application/json',
  ])
})

test('a report whose connection breaks leaves no file, and the command fails', async (t) => {
  const { env, file } = await aService(t, (response) => {
    response.write('timestamp\r\n')
    setTimeout(() => response.destroy(), 50)
  })

  const { exitCode, errorOutput } = await runLine(`report audience --from 2026-03-01 --out ${file}`, { env })

  assert.notEqual(exitCode, 0)
  assert.notEqual(errorOutput, '')
  assert.ok(!existsSync(file))
  assert.ok(!existsSync(`${file}.part`))
})

test('an unknown report is an error that lists the available ones', async () => {
  const { exitCode, errorOutput } = await runLine('report money --from 2026-03-01', { env: {} })

  assert.notEqual(exitCode, 0)
  assert.match(errorOutput, /There is no report money. Available reports: analytics\|/)
})
