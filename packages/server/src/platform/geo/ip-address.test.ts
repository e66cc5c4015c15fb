import assert from 'node:assert/strict'
import { isIPv4, isIPv6 } from 'node:net'
import { test } from 'node:test'
import fc from 'fast-check'
import { isMapped, readAddress } from './ip-address.ts'

const addresses: Readonly<Record<string, readonly number[]>> = {
  '0.0.0.0': [0],
  '1.2.3.4': [0x01020304],
  '255.255.255.255': [0xffffffff],
  '::': [0, 0, 0, 0],
  '::1': [0, 0, 0, 1],
  '1::': [0x10000, 0, 0, 0],
  '2001:db8::ff00:42:8329': [0x20010db8, 0, 0xff00, 0x428329],
  '2001:0DB8:0:0:0:FF00:0042:8329': [0x20010db8, 0, 0xff00, 0x428329],
  'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff': [0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff],
  '::ffff:1.2.3.4': [0, 0, 0xffff, 0x01020304],
  '64:ff9b::1.2.3.4': [0x64ff9b, 0, 0, 0x01020304],
  '1:2:3:4:5:6:7::': [0x10002, 0x30004, 0x50006, 0x70000],
}

for (const [text, expected] of Object.entries(addresses)) {
  test(`${text} is read`, () => {
    const words = new Uint32Array(4).fill(7)

    const count = readAddress(text, words)

    assert.deepEqual([...words.subarray(0, count)], expected)
  })
}

test('exactly the addresses that Node accepts are read', () => {
  const part = fc.constantFrom(
    '0',
    '1',
    '01',
    '255',
    '256',
    'ffff',
    'abcde',
    ':',
    '::',
    '.',
    '-',
    'g',
    ' ',
    '%',
    '1.2.3.4',
  )
  const text = fc.oneof(
    fc.ipV4(),
    fc.ipV6(),
    fc.array(part, { maxLength: 16 }).map((parts) => parts.join('')),
    fc
      .array(fc.constantFrom('0', '9', '25', '256', '01', ''), { maxLength: 5 })
      .map((parts) => parts.join('.')),
    fc
      .array(fc.constantFrom('0', 'ffff', '', 'g', '1.2.3.4'), { maxLength: 10 })
      .map((parts) => parts.join(':')),
  )

  fc.assert(
    fc.property(text, (given) => {
      const expected = isIPv4(given) ? 1 : isIPv6(given) && !given.includes('%') ? 4 : 0
      assert.equal(readAddress(given, new Uint32Array(4)), expected, given)
    }),
    { numRuns: 2_000 },
  )
})

test('an IPv4-mapped IPv6 address is recognised in every spelling', () => {
  const words = new Uint32Array(4)

  for (const text of ['::ffff:1.2.3.4', '::FFFF:102:304', '0:0:0:0:0:ffff:0102:0304']) {
    assert.equal(readAddress(text, words), 4)
    assert.ok(isMapped(words), text)
    assert.equal(words[3], 0x01020304)
  }
  for (const text of ['::1.2.3.4', '::fffe:1.2.3.4', '1::ffff:1.2.3.4', '64:ff9b::1.2.3.4']) {
    readAddress(text, words)
    assert.ok(!isMapped(words), text)
  }
})
