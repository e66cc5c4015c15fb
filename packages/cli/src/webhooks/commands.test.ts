import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aService } from '../testing/a-service.ts'
import { runLine } from '../testing/a-world.ts'

const who = '--url http://127.0.0.1:1 --account north --email a@north.example'

const webhook = {
  webhook_id: 'w1',
  url: 'https://hooks.north.example/in',
  description: '',
  kinds: ['channel.*'],
  status: 'PAUSED',
  status_reason: 'GONE',
  status_at: '2026-03-01T18:00:00.000Z',
  failing_since: '2026-03-01T17:00:00.000Z',
  previous_secret_until: null,
}

test('an invalid option is reported before anything is requested', async () => {
  const faults = {
    [`webhooks replay w1 --from yesterday ${who}`]: /--from must be a time in UTC/,
    [`webhooks replay w1 ${who}`]: /--from is missing/,
    [`webhooks rotate w1 --keep-seconds -1 ${who}`]: /--keep-seconds/,
    [`webhooks deliveries w1 --state LOST ${who}`]: /--state must be PENDING or/,
  }
  for (const [line, message] of Object.entries(faults)) {
    const { exitCode, errorOutput } = await runLine(line)

    assert.equal(exitCode, 2, line)
    assert.match(errorOutput, message)
  }
})

test('lists webhooks, with why one is paused', async (t) => {
  const page = { page_id: null, page_size: '50', page_mark: null, page_offset: '0' }
  const { env } = await aService(t, { 'GET /webhooks': { hits: [webhook], page, total: 1 } })

  const { exitCode, printed } = await runLine('webhooks list', { env })

  assert.equal(exitCode, 0)
  assert.match(printed, /w1 +PAUSED \(GONE\) +2026-03-01T17:00:00.000Z +channel\.\* +https:\/\/hooks/)
})

test('creates a webhook and prints its secret, resumes it, and rotates the secret', async (t) => {
  const { env, requests } = await aService(t, {
    'POST /webhooks': { ...webhook, secret: 'whsec_made' },
    'PATCH /webhooks/w1': { ...webhook, status: 'ACTIVE', status_reason: null },
    'POST /webhooks/w1/rotate_secret': { ...webhook, secret: 'whsec_rotated' },
  })

  const made = await runLine('webhooks create https://hooks.north.example/in --kinds channel.*,alert.*', {
    env,
  })
  const resumed = await runLine('webhooks resume w1', { env })
  const rotated = await runLine('webhooks rotate w1 --keep-seconds 60', { env })

  assert.match(made.printed, /secret +whsec_made\n\nThe secret is not shown again/)
  assert.match(resumed.printed, /status +ACTIVE since/)
  assert.match(rotated.printed, /whsec_rotated/)
  assert.deepEqual(requests, [
    ['POST /webhooks', { url: webhook.url, kinds: ['channel.*', 'alert.*'] }],
    ['PATCH /webhooks/w1', { status: 'ACTIVE' }],
    ['POST /webhooks/w1/rotate_secret', { previous_valid_s: 60 }],
  ])
})

test('a test delivery that fails exits with 1, and prints the response', async (t) => {
  const delivery = {
    event_id: 'e1',
    kind: 'webhook.test',
    state: 'PENDING',
    attempts: 1,
    next_attempt_at: '2026-03-01T18:00:05.000Z',
    request: { url: webhook.url, body: '{}' },
    response: { at: webhook.status_at, duration_ms: 12, status: 500, error: null, body: '' },
  }
  const page = { page_id: null, page_size: '50', page_mark: null, page_offset: '0' }
  const { env } = await aService(t, {
    'POST /webhooks/w1/test': { event_id: 'e1' },
    'GET /webhooks/w1/deliveries': { hits: [delivery], page, total: 1 },
  })

  const { exitCode, printed } = await runLine('webhooks test w1', { env })

  assert.equal(exitCode, 1)
  assert.match(printed, /e1 +webhook\.test +PENDING +1 +500 in 12 ms/)
})
