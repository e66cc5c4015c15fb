import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spliceIn, spliceOut } from '@continuity/core/scte35/break-cues'
import { decodeSection } from '@continuity/core/scte35/decode-section'
import { encodeSection } from '@continuity/core/scte35/encode-section'
import { printBase64, printHex } from '@continuity/core/scte35/print-bytes'
import type { SpliceInfoSection } from '@continuity/core/scte35/section'
import { createDraw } from '@continuity/dev/draw'
import { drawSection } from './draw-section.ts'
import { expectedFields } from './expected-fields.ts'
import { openOtherDecoder } from './other-decoder.ts'

const SECTIONS = 200

function encoded(section: SpliceInfoSection): Uint8Array {
  const result = encodeSection(section)
  assert.ok(result.kind === 'encoded')
  return result.bytes
}

/** The decoder warns if a command or section does not end at its declared length, as with components. */
const isReadToItsEnd = ({ command }: SpliceInfoSection): boolean =>
  command.kind !== 'splice_insert' || !command.splice.kind.startsWith('components')

test('another decoder parses our bytes to the section we encoded', async (t) => {
  const decoder = await openOtherDecoder()
  const complaints = t.mock.method(console, 'error', () => {})
  const draw = createDraw(35)
  for (let count = 0; count < SECTIONS; count += 1) {
    const section = drawSection(draw)
    const bytes = encoded(section)

    const read = decoder.parseFromB64(printBase64(bytes))

    assert.partialDeepStrictEqual(read, expectedFields(section))
    assert.equal(read.sectionLength, bytes.length - 3)
    assert.equal(read.crc, new DataView(bytes.buffer).getUint32(bytes.length - 4))
    assert.equal(complaints.mock.callCount(), isReadToItsEnd(section) ? 0 : 1, printHex(bytes))
    complaints.mock.resetCalls()
  }
})

test('another decoder parses the start and the end of a break', async () => {
  const decoder = await openOtherDecoder()

  const out = decoder.parseFromHex(
    printHex(spliceOut({ eventId: 0x4000004d, durationTicks: 8_100_000, autoReturn: true })),
  )
  const back = decoder.parseFromHex(printHex(spliceIn({ eventId: 0x4000004d })))

  const both = {
    spliceEventId: 0x4000004d,
    spliceEventCancelIndicator: false,
    programSpliceFlag: true,
    spliceImmediateFlag: true,
    uniqueProgramId: 0,
    available: 0,
    expected: 0,
  }
  assert.deepEqual(out.spliceCommand, {
    ...both,
    outOfNetworkIndicator: true,
    durationFlag: true,
    breakDuration: { autoReturn: true, duration: 8_100_000 },
  })
  assert.deepEqual(back.spliceCommand, { ...both, outOfNetworkIndicator: false, durationFlag: false })
})

test('damaged sections are rejected, by their CRC if their length is still right', () => {
  const draw = createDraw(36)
  for (let count = 0; count < SECTIONS * 10; count += 1) {
    const bytes = encoded(drawSection(draw))
    const at = draw.below(bytes.length)

    const result = decodeSection(bytes.with(at, bytes[at]! ^ (1 + draw.below(255))))

    assert.ok(result.kind === 'rejected')
    if (at >= 3) assert.equal(result.reason, 'bad_crc')
  }
})

test('no bytes make the decoder throw', () => {
  const draw = createDraw(37)
  for (let count = 0; count < SECTIONS * 10; count += 1) {
    const bytes = Uint8Array.from(draw.some(0, 60, () => draw.below(256)))

    const result = decodeSection(draw.chance(0.5) ? bytes : Uint8Array.of(0xfc, 0x30, ...bytes))

    assert.equal(result.kind, 'rejected')
  }
})
