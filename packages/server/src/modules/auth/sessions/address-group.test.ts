import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressGroup } from './address-group.ts'

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
