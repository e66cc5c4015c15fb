import assert from 'node:assert/strict'
import { test } from 'node:test'
import { showConfig } from './show-config.ts'

test('the table tells each setting, its value and its default, and hides secrets', () => {
  const shown = showConfig({ DATABASE_URL: 'postgres://u:hunter2@db/x', PORT: '9000' }, { asJson: false })

  assert.match(shown, /PORT +9000 +8080 +Port to listen on/)
  assert.match(shown, /DATABASE_URL +\(hidden\) +required/)
  assert.match(shown, /NATS_URL +missing +required/)
  assert.doesNotMatch(shown, /hunter2/)
})

test('the same for scripts', () => {
  const [api] = JSON.parse(showConfig({ PORT: 'x' }, { asJson: true })) as {
    process: string
    settings: { name: string; value: string }[]
  }[]

  assert.equal(api?.process, 'api')
  assert.equal(api?.settings.find(({ name }) => name === 'PORT')?.value, 'refused')
})
