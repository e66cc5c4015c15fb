import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type TestContext, test } from 'node:test'
import { startService } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'

const who = '--url http://127.0.0.1:1 --account north --email a@north.example'

test('an invalid option is reported before anything is requested', async () => {
  const faults = {
    [`live override some-source ${who}`]: /--channels is missing/,
    [`live rescue --channels a,,b ${who}`]: /--channels must be channel ids separated by commas/,
    [`live break some-source --seconds 601 ${who}`]: /--seconds must be a whole number from 1 to 600/,
    [`live break some-source ${who}`]: /--seconds is missing/,
    [`live list --status ON ${who}`]: /--status must be IDLE or/,
    [`live create --name Harbour ${who}`]: /--input is missing/,
  }
  for (const [line, message] of Object.entries(faults)) {
    const { exitCode, errorOutput } = await runLine(line)

    assert.equal(exitCode, 2, line)
    assert.match(errorOutput, message)
  }
})

/** A service that accepts any login, and answers one operation. */
async function aService(t: TestContext, path: string, answer: unknown) {
  const bodies: unknown[] = []
  const server = createServer(async (request, response) => {
    const text = (await request.toArray()).map(String).join('')
    const isLogin = request.url?.endsWith('/auth/login') === true
    if (!isLogin && request.url !== path) return response.writeHead(404).end()
    if (!isLogin && text !== '') bodies.push(JSON.parse(text))
    response.setHeader('content-type', 'application/json')
    const token = { token_access: 'access', token_refresh: 'refresh', roles: ['ROLE_OPERATOR'] }
    const session = { country: 'DE', user_agent: 'test', device_id: 'd-1', token }
    return response.end(JSON.stringify(isLogin ? session : answer))
  })
  const env = await startService(t, server)
  return { env, bodies }
}

test('cuts channels with one call, counts down, and fails if one channel failed', async (t) => {
  const nowMs = Date.now()
  const common = { title: 'Harbour', description: '' }
  const { env, bodies } = await aService(t, '/api/2.3/linear_channels/override/s1', [
    {
      ...common,
      status: 200,
      linear_channel_id: 'c1',
      linear_channel_override_status: 'OVERRIDDEN',
      on_air_at: new Date(nowMs + 60_000).toISOString(),
    },
    {
      ...common,
      status: 409,
      linear_channel_id: 'c2',
      linear_channel_override_status: 'NOT_STARTED',
      code: 'channel.not_on_air',
      message: 'The channel is OFFLINE.',
    },
  ])

  const { exitCode, printed } = await runLine('live override s1 --channels c1,c2 --title Harbour', {
    env,
    nowMs,
  })

  assert.deepEqual(bodies, [
    [
      { linear_channel_id: 'c1', title: 'Harbour' },
      { linear_channel_id: 'c2', title: 'Harbour' },
    ],
  ])
  assert.equal(exitCode, 1)
  assert.match(printed, /on air in \d+ s\n[\s\S]*on air in 1 s/)
  assert.match(printed, /c1 +200 +OVERRIDDEN/)
  assert.match(printed, /c2 +409 +NOT_STARTED +The channel is OFFLINE\./)
})

test('a source is created with its address, and prints the id that the other commands need', async (t) => {
  const source = { live_source_id: 's1', name: 'Harbour', status: 'IDLE', status_detail: null }
  const { env, bodies } = await aService(t, '/api/2.3/live_sources', source)

  const { exitCode, printed } = await runLine(
    'live create --name Harbour --input https://live.example/index.m3u8',
    { env },
  )

  assert.equal(exitCode, 0)
  assert.deepEqual(bodies, [
    { name: 'Harbour', type: 'HLS_PULL', metadata: { input_url: 'https://live.example/index.m3u8' } },
  ])
  assert.match(printed, /id +s1/)
})

test('the health of a source is printed as a table, or unchanged with --json', async (t) => {
  const health = { live_source_id: 's1', status: 'IDLE', inputs: [] }
  const { env } = await aService(t, '/api/2.3/live_sources/s1/health', health)

  const { exitCode, printed } = await runLine('live health s1', { env })
  const script = await runLine('live health s1 --json', { env })

  assert.equal(exitCode, 0)
  assert.match(printed, /IDLE\n {2}input +slots +fill/)
  assert.deepEqual(JSON.parse(script.printed), health)
})
