import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startTestSystem } from '@continuity/dev/test-system'

const DEADLINE_MS = 15_000

/** Polls until the answer is as wanted. */
async function readyzUntil(
  baseUrl: string,
  isWanted: (status: number, body: Readiness) => boolean,
): Promise<Readiness> {
  const untilMs = performance.now() + DEADLINE_MS
  for (;;) {
    const answer = await fetch(`${baseUrl}/readyz`)
    const body = (await answer.json()) as Readiness
    if (isWanted(answer.status, body)) return body
    assert.ok(performance.now() < untilMs, `still ${answer.status} ${JSON.stringify(body)}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
}

interface Readiness {
  readonly status: string
  readonly checks: Readonly<Record<string, { ok: boolean }>>
}

test('the API is ready without NATS and not ready without PostgreSQL, and alive in both cases', async () => {
  await using system = await startTestSystem()
  const { baseUrl } = system
  const { processes } = JSON.parse(await readFile(join(system.home, 'stack.json'), 'utf8')) as {
    processes: { name: string; pid: number }[]
  }
  const pidOf = (name: string) => processes.find((process) => process.name === name)!.pid

  process.kill(pidOf('NATS'), 'SIGSTOP')
  const withoutNats = await readyzUntil(
    baseUrl,
    (status, { checks }) => status === 200 && checks['nats']?.ok === false,
  )
  process.kill(pidOf('NATS'), 'SIGCONT')
  await readyzUntil(baseUrl, (status, { checks }) => status === 200 && checks['nats']?.ok === true)
  process.kill(pidOf('PostgreSQL'), 'SIGQUIT')
  const withoutDatabase = await readyzUntil(baseUrl, (status) => status === 503)
  const alive = await fetch(`${baseUrl}/livez`)

  assert.equal(withoutNats.checks['postgresql']?.ok, true)
  assert.equal(withoutDatabase.status, 'not_ready')
  assert.equal(alive.status, 200)
})
