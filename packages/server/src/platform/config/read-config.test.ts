import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeConfig, readConfig } from './read-config.ts'
import { address, choice, integer, loopback, networks, origins, text } from './setting.ts'

const settings = {
  host: text('HOST', { about: 'Address to listen on', fallback: '127.0.0.1' }),
  port: integer('PORT', { about: 'Port to listen on', fallback: 8080, minimum: 0, maximum: 65_535 }),
  databaseUrl: address('DATABASE_URL', { about: 'PostgreSQL', schemes: ['postgres', 'postgresql'] }),
  password: text('PASSWORD', { about: 'A secret', secret: true, fallback: 'changeme' }),
  origins: origins('ORIGINS', { about: 'Origins', fallback: ['*'] }),
  level: choice('LEVEL', { about: 'Level', fallback: 'info', values: ['debug', 'info'] }),
  control: loopback('CONTROL', { about: 'Control socket', fallback: '' }),
} as const

const needed = { DATABASE_URL: 'postgres://u:hunter2@db/x' }

test('variables are parsed by their type, and missing ones have their defaults', () => {
  const given = {
    ...needed,
    PORT: '0',
    ORIGINS: ' https://a ,https://b',
    LEVEL: 'debug',
    CONTROL: '127.0.0.1:9000',
  }

  assert.deepEqual(readConfig(settings, given), {
    kind: 'read',
    config: {
      host: '127.0.0.1',
      port: 0,
      databaseUrl: 'postgres://u:hunter2@db/x',
      password: 'changeme',
      origins: ['https://a', 'https://b'],
      level: 'debug',
      control: '127.0.0.1:9000',
    },
  })
})

test('an empty variable counts as unset', () => {
  const result = readConfig(settings, { ...needed, HOST: '', PORT: '', ORIGINS: '' })

  assert.ok(result.kind === 'read')
  assert.equal(result.config.port, 8080)
  assert.deepEqual(result.config.origins, ['*'])
})

test('all faults are reported together, in the order of the settings', () => {
  const result = readConfig(settings, { PORT: '99999', LEVEL: 'loud', CONTROL: 'example.com:80' })

  assert.deepEqual(result, {
    kind: 'rejected',
    faults: [
      'PORT must be a whole number, 0 to 65535, not "99999"',
      'DATABASE_URL is not set: PostgreSQL (address, postgres://… or postgresql://…)',
      'LEVEL must be one of debug, info, not "loud"',
      'CONTROL must be 127.0.0.1:PORT, not "example.com:80"',
    ],
  })
})

test('a whole number consists of digits only', () => {
  for (const PORT of ['-1', '1.5', '1e3', ' 80', '0x50', '80 ', '٨٠', '9'.repeat(20), 'NaN']) {
    assert.equal(readConfig(settings, { ...needed, PORT }).kind, 'rejected', PORT)
  }
})

test('a database address has a scheme of PostgreSQL', () => {
  for (const DATABASE_URL of ['db', 'http://db/x', 'mysql://db/x', 'postgres', '//db/x']) {
    assert.equal(readConfig(settings, { DATABASE_URL }).kind, 'rejected', DATABASE_URL)
  }
})

test('a control socket is on 127.0.0.1 with a valid port', () => {
  for (const CONTROL of [
    '0.0.0.0:80',
    'localhost:80',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:99999',
    '127.0.0.1:0',
  ]) {
    assert.equal(readConfig(settings, { ...needed, CONTROL }).kind, 'rejected', CONTROL)
  }
})

test('secrets appear neither in faults nor in descriptions', () => {
  const secrets = { DATABASE_URL: 'http://u:hunter2@db/x', PASSWORD: 'correct horse' }

  const rejected = readConfig(settings, secrets)
  const described = describeConfig(settings, secrets)
  const valid = describeConfig(settings, { ...needed, PASSWORD: 'correct horse' })

  assert.equal(rejected.kind, 'rejected')
  assert.doesNotMatch(JSON.stringify([rejected, described, valid]), /hunter2|correct horse/)
})

test('a description contains the purpose, the form and the value of each setting', () => {
  const given = { ...needed, PORT: 'x', LEVEL: 'debug' }

  const described = describeConfig(settings, given)

  assert.deepEqual(
    described.map(({ name, fallback, value }) => `${name} ${fallback} ${value}`),
    [
      'HOST 127.0.0.1 127.0.0.1',
      'PORT 8080 invalid',
      'DATABASE_URL required (hidden)',
      'PASSWORD changeme changeme',
      'ORIGINS * *',
      'LEVEL info debug',
      'CONTROL  ',
    ],
  )
  assert.deepEqual(described[1], {
    name: 'PORT',
    about: 'Port to listen on',
    form: 'whole number, 0 to 65535',
    fallback: '8080',
    value: 'invalid',
  })
})

test('a setting that is required and empty is missing, not invalid', () => {
  const shownFor = (env: Record<string, string>) =>
    describeConfig(settings, env).find(({ name }) => name === 'DATABASE_URL')?.value

  assert.equal(shownFor({}), 'missing')
  assert.equal(shownFor({ DATABASE_URL: '' }), 'missing')
  assert.equal(shownFor({ DATABASE_URL: 'nowhere' }), 'invalid')
})

test('an origin that cannot match any page is rejected', () => {
  const fault = (given: string) => readConfig({ origins: settings.origins }, { ORIGINS: given }).kind

  assert.equal(fault('https://a.example'), 'read')
  assert.equal(fault('https://a.example,http://localhost:3000'), 'read')
  assert.equal(fault('https://a.example/'), 'rejected')
  assert.equal(fault('a.example'), 'rejected')
})

test('a network has a valid prefix length and does not cover all addresses', () => {
  const read = (given: string) =>
    readConfig({ proxies: networks('PROXIES', { about: 'x' }) }, { PROXIES: given })
  const valid = '10.0.0.1, 10.0.0.0/8,192.0.2.7/32,::1,2001:db8::/32,fe80::1/128,::ffff:10.0.0.0/104'

  assert.deepEqual(read(valid), {
    kind: 'read',
    config: { proxies: valid.split(',').map((each) => each.trim()) },
  })
  for (const given of [
    '0.0.0.0/0',
    '::/0',
    '10.0.0.0/33',
    '::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    '10.0.0.0/255.0.0.0',
    '10.0.0.0/-8',
    '10.1',
    '0x0a.0.0.1',
    'fe80::1%eth0',
    'loopback',
    'proxy.example',
    '*',
    ',',
    '10.0.0.1,',
  ]) {
    assert.equal(read(given).kind, 'rejected', given)
  }
})
