import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runLine } from './testing/a-world.ts'

test('the table lists each setting, its value and its default, and hides secrets', async () => {
  const env = { DATABASE_URL: 'postgres://u:hunter2@db/x', PORT: '9000' }

  const { printed } = await runLine('config', { env })

  assert.match(printed, /PORT +9000 +8080 +Port to listen on/)
  assert.match(printed, /DATABASE_URL +\(hidden\) +required/)
  assert.match(printed, /NATS_URL +missing +required/)
  assert.match(printed, /^owner\n.*DATABASE_OWNER_URL +missing +required/ms)
  assert.doesNotMatch(printed, /hunter2/)
})

test('--json prints the same', async () => {
  const { printed } = await runLine('config --json', { env: { PORT: 'x' } })

  const [api] = JSON.parse(printed) as { process: string; settings: { name: string; value: string }[] }[]
  assert.equal(api?.process, 'api')
  assert.equal(api?.settings.find(({ name }) => name === 'PORT')?.value, 'invalid')
})
