import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressGroup, chooseCountry } from './origin-of.ts'

test('an IPv4 address is a group of its own', () => {
  assert.notEqual(addressGroup('203.0.113.1'), addressGroup('203.0.113.2'))
  assert.equal(addressGroup('203.0.113.1'), '203.0.113.1')
})

test('IPv6 addresses of one /64 network are one group', () => {
  assert.equal(addressGroup('2001:db8:1:2::1'), addressGroup('2001:db8:1:2:ffff:ffff:ffff:ffff'))
  assert.notEqual(addressGroup('2001:db8:1:2::1'), addressGroup('2001:db8:1:3::1'))
})

test('text that is not an address is returned unchanged', () => {
  assert.equal(addressGroup(''), '')
})

const ipCountries = { countryOf: (address: string) => (address === '192.0.2.1' ? 'FR' : undefined) }
const sources = { trustedHeader: undefined, address: '192.0.2.1', ipCountries, accountCountry: 'se' }

test('the trusted header takes precedence over the file, and the file over the account', () => {
  assert.equal(chooseCountry({ ...sources, trustedHeader: 'DE' }), 'DE')
  assert.equal(chooseCountry(sources), 'FR')
  assert.equal(chooseCountry({ ...sources, address: '198.51.100.1' }), 'SE')
  assert.equal(chooseCountry({ ...sources, ipCountries: undefined }), 'SE')
})

test('a country is returned in capitals', () => {
  assert.equal(chooseCountry({ ...sources, trustedHeader: 'de' }), 'DE')
  assert.equal(chooseCountry({ ...sources, trustedHeader: ' De ' }), 'DE')
})

test('a header without a country is ignored', () => {
  for (const trustedHeader of ['XX', 'xx', 'T1', 'ZZ', '', 'DEU', 'D', 'DE, US', 'ÄÖ', 'ﬀ', 'ıı', '--']) {
    assert.equal(chooseCountry({ ...sources, trustedHeader }), 'FR', trustedHeader)
  }
})
