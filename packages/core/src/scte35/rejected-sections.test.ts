import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeSection } from './break-cues.ts'
import { crc32 } from './crc32.ts'
import { decodeSection } from './decode-section.ts'
import type { SpliceCommand, SpliceInfoSection } from './section.ts'

const aSection: SpliceInfoSection = {
  sapType: 3,
  ptsAdjustment: 0,
  cwIndex: 0xff,
  tier: 0xfff,
  command: { kind: 'splice_null' },
  descriptors: [],
}

const anInsert: SpliceInfoSection = {
  ...aSection,
  command: {
    kind: 'splice_insert',
    eventId: 1,
    isIdCompliant: true,
    isOutOfNetwork: true,
    splice: { kind: 'program', ptsTime: 2 ** 32 },
    breakDuration: { autoReturn: true, durationTicks: 90_000 },
    uniqueProgramId: 0,
    availNum: 0,
    availsExpected: 0,
  },
}

function encoded(section: SpliceInfoSection): Uint8Array {
  const result = encodeSection(section)
  assert.ok(result.kind === 'encoded')
  return result.bytes
}

const undecoded = (...bytes: readonly number[]): SpliceCommand => ({
  kind: 'undecoded',
  type: 0x10,
  bytes: Uint8Array.from(bytes),
})

/** With a valid CRC, as a sender of crafted bytes would compute it. */
function sealed(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer).setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)))
  return bytes
}

/** The section with other bytes from `at` on. */
function altered(section: SpliceInfoSection, at: number, ...values: readonly number[]): Uint8Array {
  const bytes = encoded(section)
  bytes.set(values, at)
  return sealed(bytes)
}

/** A splice_null with these bytes for descriptors. */
const withLoop = (...loop: readonly number[]): Uint8Array =>
  altered({ ...aSection, command: undecoded(loop.length >> 8, loop.length & 0xff, ...loop) }, 11, 0xf0, 0, 0)

const rejected = (reason: string) => ({ kind: 'rejected', reason })

test('one changed bit is rejected, at any position', () => {
  const bytes = encoded(anInsert)
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const at = Math.floor(bit / 8)

    const result = decodeSection(bytes.with(at, bytes[at]! ^ (1 << (bit % 8))))

    assert.ok(result.kind === 'rejected')
    const expected = at === 0 ? ['unknown_table'] : at < 3 ? ['short', 'bad_crc'] : ['bad_crc']
    assert.ok(expected.includes(result.reason), `${result.reason} at bit ${bit}`)
  }
})

test('a truncated section is short', () => {
  const bytes = encoded(anInsert)
  for (let length = 0; length < bytes.length; length += 1) {
    assert.deepEqual(decodeSection(bytes.subarray(0, length)), rejected('short'))
  }
})

test('a section without room for the mandatory fields is short', () => {
  assert.deepEqual(decodeSection(sealed(Uint8Array.of(0xfc, 0x30, 4, 0, 0, 0, 0))), rejected('short'))
})

test('encrypted sections and other versions of the protocol are rejected', () => {
  assert.deepEqual(decodeSection(altered(aSection, 4, 0x80)), rejected('encrypted'))
  assert.deepEqual(decodeSection(altered(aSection, 3, 1)), rejected('unknown_version'))
})

test('a section longer than allowed is malformed', () => {
  const bytes = new Uint8Array(3 + 4_094)
  bytes.set([0xfc, 0x3f, 0xfe])

  assert.deepEqual(decodeSection(sealed(bytes)), rejected('malformed'))
})

test('the longest allowed section is written and read, and no longer one is written', () => {
  const ofLength = (bytes: number) => ({ ...aSection, command: undecoded(...new Uint8Array(bytes - 20)) })
  const longest = ofLength(3 + 4_093)

  assert.equal(encoded(longest).length, 3 + 4_093)
  assert.deepEqual(decodeSection(encoded(longest)), { kind: 'section', section: longest })
  assert.deepEqual(encodeSection(ofLength(3 + 4_094)), rejected('does_not_fit'))
})

test('a command without its last byte is malformed', () => {
  const timeSignal = { ...aSection, command: undecoded(0xfe, 0, 0, 0) }
  const cancel = { ...aSection, command: undecoded(0, 0, 0, 1) }

  assert.deepEqual(decodeSection(altered(timeSignal, 13, 6)), rejected('malformed'))
  assert.deepEqual(decodeSection(altered(cancel, 13, 5)), rejected('malformed'))
})

test('an unknown command without a length is malformed', () => {
  const section = { ...aSection, command: undecoded(0, 0, 0, 0, 0, 0) }

  assert.deepEqual(decodeSection(altered(section, 11, 0xff, 0xff)), rejected('malformed'))
})

test('a descriptor without an identifier, one that is too long, and a truncated one are malformed', () => {
  const most = [0x7f, 254, 1, 2, 3, 4, ...new Uint8Array(250)]

  assert.equal(decodeSection(withLoop(...most)).kind, 'section')
  assert.deepEqual(decodeSection(withLoop(...most.with(1, 255), 0)), rejected('malformed'))
  assert.deepEqual(decodeSection(withLoop(...most.slice(0, -1))), rejected('malformed'))
  assert.deepEqual(decodeSection(withLoop(0x7f, 3, 1, 2, 3, 4)), rejected('malformed'))
})

test('a descriptor with invalid syntax does not invalidate the command, and keeps its bytes', () => {
  const cut = { kind: 'unknown', tag: 0, identifier: 0x43554549, bytes: Uint8Array.of(1, 2, 3) } as const
  const long = { ...cut, bytes: Uint8Array.of(1, 2, 3, 4, 5) }
  const section = { ...anInsert, descriptors: [cut, long] }

  const result = decodeSection(encoded(section))

  assert.deepEqual(result, { kind: 'section', section })
})
