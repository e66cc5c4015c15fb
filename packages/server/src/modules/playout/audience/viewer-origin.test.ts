import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { test } from 'node:test'
import { createOriginReader } from './viewer-origin.ts'

const aRequest = (remoteAddress: string, headers: Record<string, string> = {}) =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage

const originOf = createOriginReader({
  countryOf: (address) => ({ '192.0.2.7': 'DE', '198.51.100.9': 'US' })[address],
  trustedProxies: ['10.0.0.0/8', '::1'],
  excludedNetworks: ['203.0.113.0/24', '2001:db8::/32'],
  excludedAgents: ['Pingdom'],
})

const forwarded = (text: string) => ({ 'x-forwarded-for': text })

test('the country is that of the nearest address that is not a trusted proxy', () => {
  const countryOf = (address: string, headers?: Record<string, string>) =>
    originOf(aRequest(address, headers)).country

  assert.equal(countryOf('192.0.2.7'), 'DE')
  assert.equal(countryOf('192.0.2.7', forwarded('198.51.100.9')), 'DE')
  assert.equal(countryOf('10.1.1.1', forwarded('192.0.2.7, 198.51.100.9')), 'US')
  assert.equal(countryOf('::1', forwarded('192.0.2.7, 10.2.2.2')), 'DE')
  assert.equal(countryOf('10.1.1.1', forwarded('192.0.2.7, nonsense')), 'ZZ')
  assert.equal(countryOf('203.0.113.1'), 'ZZ')
})

test('monitors are excluded by network or user agent', () => {
  const isExcluded = (address: string, headers?: Record<string, string>) =>
    originOf(aRequest(address, headers)).isExcluded

  assert.equal(isExcluded('203.0.113.200'), true)
  assert.equal(isExcluded('10.1.1.1', forwarded('203.0.113.200')), true)
  assert.equal(isExcluded('2001:db8::7'), true)
  assert.equal(isExcluded('192.0.2.7', { 'user-agent': 'Mozilla pingdom.com_bot' }), true)
  assert.equal(isExcluded('192.0.2.7', { 'user-agent': 'Mozilla' }), false)
  assert.equal(isExcluded('not an address'), false)
})
