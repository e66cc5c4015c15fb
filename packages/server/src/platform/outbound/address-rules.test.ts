import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicAddress, isWebPort } from './address-rules.ts'

const publicOnes = [
  '1.1.1.1',
  '8.8.8.8',
  '11.0.0.1',
  '100.63.255.255',
  '100.128.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '223.255.255.255',
  '2606:4700::1111',
  '2a00:1450:4001:81b::200e',
  '2400:cb00::1',
]

/** The first and the last address of every range that is not public. */
const otherRanges: Readonly<Record<string, readonly [string, string]>> = {
  'this network': ['0.0.0.0', '0.255.255.255'],
  'private, class A': ['10.0.0.0', '10.255.255.255'],
  'carrier-grade NAT': ['100.64.0.0', '100.127.255.255'],
  loopback: ['127.0.0.0', '127.255.255.255'],
  'link-local': ['169.254.0.0', '169.254.255.255'],
  'private, class B': ['172.16.0.0', '172.31.255.255'],
  'protocol assignments': ['192.0.0.0', '192.0.0.255'],
  'documentation 1': ['192.0.2.0', '192.0.2.255'],
  '6to4 relays': ['192.88.99.0', '192.88.99.255'],
  'private, class C': ['192.168.0.0', '192.168.255.255'],
  benchmarking: ['198.18.0.0', '198.19.255.255'],
  'documentation 2': ['198.51.100.0', '198.51.100.255'],
  'documentation 3': ['203.0.113.0', '203.0.113.255'],
  multicast: ['224.0.0.0', '239.255.255.255'],
  reserved: ['240.0.0.0', '255.255.255.254'],
  broadcast: ['255.255.255.255', '255.255.255.255'],
  'host of a cloud': ['168.63.129.16', '168.63.129.16'],
  'unspecified and loopback, v6': ['::', '::1'],
  'IPv4-compatible': ['::1.1.1.1', '::ffff:ffff'],
  'IPv4-mapped': ['::ffff:0.0.0.0', '::ffff:255.255.255.255'],
  'IPv4-mapped, public inside': ['::ffff:8.8.8.8', '::ffff:808:808'],
  'IPv4-translated': ['::ffff:0:0.0.0.0', '::ffff:0:8.8.8.8'],
  NAT64: ['64:ff9b::', '64:ff9b::8.8.8.8'],
  'local NAT64': ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  discard: ['100::', '100::ffff:ffff:ffff:ffff'],
  Teredo: ['2001::', '2001:0:ffff:ffff:ffff:ffff:ffff:ffff'],
  'benchmarking, v6': ['2001:2::', '2001:2:0:ffff:ffff:ffff:ffff:ffff'],
  ORCHID: ['2001:10::', '2001:2f:ffff:ffff:ffff:ffff:ffff:ffff'],
  'documentation, v6': ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff'],
  'documentation, v6, new': ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '6to4': ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  '6to4, public inside': ['2002:808:808::1', '2002:7f00:1::'],
  'segment routing': ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'unique local': ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'link-local, v6': ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'site-local': ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'multicast, v6': ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'never allocated': ['4000::', 'fbff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  'with a zone': ['fe80::1%eth0', '2606:4700::1111%1'],
  'no address at all': ['', '0x7f.1'],
}

test('a public address is accepted', () => {
  assert.deepEqual(
    publicOnes.filter((address) => !isPublicAddress(address)),
    [],
  )
})

for (const [range, ends] of Object.entries(otherRanges)) {
  test(`a range that is not public is rejected from its first to its last address: ${range}`, () => {
    assert.deepEqual(ends.filter(isPublicAddress), [])
  })
}

test('web ports and unassigned ports are allowed, ports of other services are not', () => {
  const ports = [
    80, 443, 8080, 8443, 9000, 49_152, 22, 23, 25, 53, 445, 631, 993, 3306, 5432, 6379, 9200, 11_211,
  ]

  assert.deepEqual(ports.filter(isWebPort), [80, 443, 8080, 8443, 9000, 49_152])
})
