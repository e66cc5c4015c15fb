import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encodeSection } from './break-cues.ts'
import { crc32 } from './crc32.ts'
import { decodeSection } from './decode-section.ts'
import { printBase64 } from './print-bytes.ts'
import type { SpliceInfoSection } from './section.ts'

/** SCTE 35 2023r1, §14.1 to §14.8. */
const samples = [
  '/DA0AAAAAAAA///wBQb+cr0AUAAeAhxDVUVJSAAAjn/PAAGlmbAICAAAAAAsoKGKNAIAmsnRfg==',
  '/DAvAAAAAAAA///wFAVIAACPf+/+c2nALv4AUsz1AAAAAAAKAAhDVUVJAAABNWLbowo=',
  '/DAvAAAAAAAA///wBQb+dGKQoAAZAhdDVUVJSAAAjn+fCAgAAAAALKChijUCAKnMZ1g=',
  '/DBIAAAAAAAA///wBQb+ek2ItgAyAhdDVUVJSAAAGH+fCAgAAAAALMvDRBEAAAIXQ1VFSUgAABl/nwgIAAAAACyk26AQAACZcuND',
  '/DAvAAAAAAAA///wBQb+rr//ZAAZAhdDVUVJSAAACH+fCAgAAAAALKVs9RcAAJUdsKg=',
  '/DBIAAAAAAAA///wBQb+ky44CwAyAhdDVUVJSAAACn+fCAgAAAAALKCh4xgAAAIXQ1VFSUgAAAl/nwgIAAAAACygoYoRAAC0IX6w',
  '/DAvAAAAAAAA///wBQb+rvF8TAAZAhdDVUVJSAAAB3+fCAgAAAAALKVslxEAAMSHai4=',
  '/DBhAAAAAAAA///wBQb+qM1E7QBLAhdDVUVJSAAArX+fCAgAAAAALLLXnTUCAAIXQ1VFSUgAACZ/nwgIAAAAACyy150RAAACF0NVRUlIAAAnf58ICAAAAAAsstezEAAAihiGnw==',
]

const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, 'base64'))

function decoded(bytes: Uint8Array): SpliceInfoSection {
  const result = decodeSection(bytes)
  assert.ok(result.kind === 'section')
  return result.section
}

function encoded(section: SpliceInfoSection): Uint8Array {
  const result = encodeSection(section)
  assert.ok(result.kind === 'encoded')
  return result.bytes
}

const aSection: SpliceInfoSection = {
  sapType: 3,
  ptsAdjustment: 0,
  cwIndex: 0xff,
  tier: 0xfff,
  command: { kind: 'splice_null' },
  descriptors: [],
}

/** The section with other bytes from `at` on, and a valid CRC. */
function altered(section: SpliceInfoSection, at: number, values: readonly number[]): Uint8Array {
  const bytes = encoded(section)
  bytes.set(values, at)
  new DataView(bytes.buffer).setUint32(bytes.length - 4, crc32(bytes.subarray(0, -4)))
  return bytes
}

test("the standard's examples are the same bytes after decoding and encoding", () => {
  for (const sample of samples) {
    assert.equal(printBase64(encoded(decoded(bytesOf(sample)))), sample)
  }
})

test("the standard's splice_insert is read in every field", () => {
  const section = decoded(bytesOf(samples[1]!))

  assert.deepEqual(section, {
    ...aSection,
    command: {
      kind: 'splice_insert',
      eventId: 0x4800008f,
      isIdCompliant: false,
      isOutOfNetwork: true,
      splice: { kind: 'program', ptsTime: 0x07369c02e },
      breakDuration: { autoReturn: true, durationTicks: 0x00052ccf5 },
      uniqueProgramId: 0,
      availNum: 0,
      availsExpected: 0,
    },
    descriptors: [{ kind: 'avail', providerAvailId: 0x135 }],
  })
})

test("the standard's placement opportunity is read in every field", () => {
  const section = decoded(bytesOf(samples[0]!))

  assert.deepEqual(section.command, { kind: 'time_signal', ptsTime: 0x072bd0050 })
  assert.deepEqual(section.descriptors, [
    {
      kind: 'segmentation',
      eventId: 0x4800008e,
      isIdCompliant: false,
      restrictions: {
        isWebDeliveryAllowed: false,
        hasNoRegionalBlackout: true,
        isArchiveAllowed: true,
        deviceRestrictions: 3,
      },
      components: null,
      durationTicks: 307 * 90_000,
      upid: { type: 8, bytes: Uint8Array.of(0, 0, 0, 0, 0x2c, 0xa0, 0xa1, 0x8a) },
      typeId: 0x34,
      segmentNum: 2,
      segmentsExpected: 0,
      subSegment: null,
    },
  ])
})

test('bytes after a section are ignored', () => {
  const bytes = bytesOf(samples[0]!)

  const result = decodeSection(Uint8Array.of(...bytes, 0xff, 0xff, 0xff))

  assert.deepEqual(result, decodeSection(bytes))
})

test('a command without a length, as old equipment sends it, is read by its syntax', () => {
  const bytes = bytesOf(samples[1]!)
  const section = decoded(bytes)

  const result = decodeSection(altered(section, 11, [0xff, 0xff]))

  assert.deepEqual(result, { kind: 'section', section })
})

test('a value that does not fit its field is rejected', () => {
  const upid = (length: number) => ({ type: 1, bytes: new Uint8Array(length) })
  const withDescriptor = (length: number): SpliceInfoSection => ({
    ...aSection,
    descriptors: [{ ...aSegmentation, upid: upid(length) }],
  })
  const withCommand = (length: number): SpliceInfoSection => ({
    ...aSection,
    command: { kind: 'undecoded', type: 0xff, bytes: new Uint8Array(length) },
  })

  assert.equal(encodeSection(withDescriptor(239)).kind, 'encoded')
  assert.equal(encodeSection(withCommand(4_093 - 17)).kind, 'encoded')
  for (const section of [
    { ...aSection, ptsAdjustment: 2 ** 33 },
    { ...aSection, tier: 4_096 },
    { ...aSection, cwIndex: -1 },
    { ...aSection, command: { kind: 'time_signal', ptsTime: 0.5 } as const },
    withDescriptor(240),
    withCommand(4_093 - 16),
    withCommand(300_000),
  ]) {
    assert.deepEqual(encodeSection(section), { kind: 'rejected', reason: 'does_not_fit' })
  }
})

const aSegmentation = {
  kind: 'segmentation',
  eventId: 1,
  isIdCompliant: true,
  restrictions: null,
  components: null,
  durationTicks: null,
  upid: { type: 0, bytes: new Uint8Array() },
  typeId: 0x10,
  segmentNum: 1,
  segmentsExpected: 1,
  subSegment: null,
} as const
