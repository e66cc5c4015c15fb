import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { encodeSection } from './break-cues.ts'
import { crc32 } from './crc32.ts'
import { decodeSection } from './decode-section.ts'
import type { SpliceInfoSection } from './section.ts'
import { anySection } from './testing/any-section.ts'

function encoded(section: SpliceInfoSection): Uint8Array {
  const result = encodeSection(section)
  assert.ok(result.kind === 'encoded')
  return result.bytes
}

test('any section equals itself after encoding and decoding', () => {
  fc.assert(
    fc.property(anySection, (section) => {
      assert.deepEqual(decodeSection(encoded(section)), { kind: 'section', section })
    }),
    { numRuns: 500 },
  )
})

test('a section with changed bytes is rejected or read, and what was read can be written', () => {
  fc.assert(
    fc.property(anySection, anyChanges, (section, changes) => {
      const bytes = encoded(section)
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      // The CRC would reject most changes before the syntax is read.
      new DataView(bytes.buffer).setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)))

      const result = decodeSection(bytes)

      if (result.kind === 'section') assert.deepEqual(decodeSection(encoded(result.section)), result)
    }),
    { numRuns: 2_000 },
  )
})

test('the decoder does not throw for any bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 80 }), (bytes) => {
      assert.equal(decodeSection(bytes).kind, 'rejected')
      assert.equal(decodeSection(Uint8Array.of(0xfc, 0x30, bytes.length, ...bytes)).kind, 'rejected')
    }),
    { numRuns: 1_000 },
  )
})

const anyChanges = fc.array(fc.tuple(fc.nat(100), fc.nat(255)), { minLength: 1, maxLength: 4 })
