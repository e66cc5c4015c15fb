import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openOtherDecoder } from '@continuity/dev/scte35-decoder'
import fc from 'fast-check'
import { encodeSection, spliceIn, spliceOut } from './break-cues.ts'
import { printBase64, printHex } from './print-bytes.ts'
import type { SpliceInfoSection } from './section.ts'
import { anySection } from './testing/any-section.ts'
import { expectedFields } from './testing/expected-fields.ts'

/** The decoder may warn that a command does not end at its declared length if it has components. */
const isReadToItsEnd = ({ command }: SpliceInfoSection): boolean =>
  command.kind !== 'splice_insert' || !command.splice.kind.startsWith('components')

test('another decoder parses our bytes to the section we encoded', async (t) => {
  const decoder = await openOtherDecoder()
  const complaints = t.mock.method(console, 'error', () => {})
  const known = anySection.filter(({ command }) => command.kind !== 'undecoded')
  fc.assert(
    fc.property(known, (section) => {
      const encoded = encodeSection(section)
      assert.ok(encoded.kind === 'encoded')
      const { bytes } = encoded
      complaints.mock.resetCalls()

      const read = decoder.parseFromB64(printBase64(bytes))

      assert.partialDeepStrictEqual(read, expectedFields(section))
      assert.equal(read.sectionLength, bytes.length - 3)
      assert.equal(read.crc, new DataView(bytes.buffer).getUint32(bytes.length - 4))
      if (isReadToItsEnd(section)) assert.equal(complaints.mock.callCount(), 0, printHex(bytes))
    }),
    { numRuns: 500 },
  )
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
