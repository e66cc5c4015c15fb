import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { crc32 } from './crc32.ts'
import { printBase64, printHex } from './print-bytes.ts'

const ascii = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test('bytes are printed for an attribute list and for a cue tag', () => {
  assert.equal(printHex(Uint8Array.of(0xfc, 0x00, 0x0a)), '0xFC000A')
  assert.equal(printBase64(Uint8Array.of(0xfc, 0x30, 0x2f)), '/DAv')
})

test('any bytes are printed as by Node', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      assert.equal(printBase64(bytes), Buffer.from(bytes).toString('base64'))
      assert.equal(printHex(bytes), `0x${Buffer.from(bytes).toString('hex').toUpperCase()}`)
    }),
  )
})

test('the checksum is CRC-32/MPEG-2', () => {
  assert.equal(crc32(ascii('123456789')), 0x0376e6e7)
})
