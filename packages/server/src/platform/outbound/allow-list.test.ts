import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfig } from '../config/read-config.ts'
import { isAllowed, readAllowList } from './allow-list.ts'
import { allowSetting } from './allow-setting.ts'

test('addresses and names are allowed with their port, only', () => {
  const read = readAllowList('127.0.0.1:9000, [::1]:9001,Media.internal:443')

  assert.ok(read.kind === 'read')
  assert.deepEqual(read.allow, ['127.0.0.1:9000', '[::1]:9001', 'media.internal:443'])
  assert.ok(isAllowed(read.allow, '127.0.0.1', 9000))
  assert.ok(isAllowed(read.allow, '::1', 9001))
  assert.ok(isAllowed(read.allow, 'media.internal', 443))
  assert.ok(!isAllowed(read.allow, '127.0.0.1', 9001))
  assert.ok(!isAllowed(read.allow, 'a.media.internal', 443))
})

test('all faults of a list are reported together', () => {
  const read = readAllowList('127.0.0.1,*.internal:80,0x7f.1:80,media.internal:70000,10.0.0.0/8:80,::1:80,')

  assert.ok(read.kind === 'rejected')
  assert.equal(read.faults.length, 7, read.faults.join('\n'))
})

test('the setting allows nothing by default and reports invalid entries', () => {
  const settings = { allow: allowSetting('ALLOW', { about: 'x' }) }

  assert.deepEqual(readConfig(settings, {}), { kind: 'read', config: { allow: [] } })
  assert.deepEqual(readConfig(settings, { ALLOW: 'a:1,b:2' }), {
    kind: 'read',
    config: { allow: ['a:1', 'b:2'] },
  })
  const rejected = readConfig(settings, { ALLOW: 'a,b:0' })
  assert.match(JSON.stringify(rejected), /ALLOW must be .*a.* is not HOST:PORT; .*b:0.* has no valid port/)
})
