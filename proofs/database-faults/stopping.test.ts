import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { settlesWithin } from '@continuity/dev/waiting'
import { logInTo, startFaultSystem } from './fault-system.ts'
import { aSilence } from './faults.ts'

const opened = new AsyncDisposableStack()
after(() => opened.disposeAsync())
const it = await startFaultSystem(opened)

for (const [when, isQuerying] of [
  ['its connections are idle', false],
  ['one of them is in use', true],
] as const) {
  test(`a process exits with code 0 on SIGTERM while its database is silent and ${when}`, async () => {
    const silence = await aSilence(it, opened)
    const api = opened.use(await it.startApi(`stopped-${isQuerying}`, silence.databaseUrl))
    const headers = await logInTo(api.baseUrl, it.words[0])
    const request = async () => (await fetch(`${api.baseUrl}/api/2.1/users`, { headers })).status
    assert.deepEqual(await Promise.all([request(), request(), request()]), [200, 200, 200])
    await silence.begin()
    const unanswered = isQuerying ? request().catch(() => 0) : undefined

    process.kill(api.child.pid, 'SIGTERM')

    assert.ok(await settlesWithin(api.child.exited, 12_000), 'it still runs')
    assert.equal(await api.child.exited, 'ended with code 0')
    await unanswered
  })
}
