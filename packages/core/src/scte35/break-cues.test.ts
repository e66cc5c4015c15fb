import assert from 'node:assert/strict'
import { test } from 'node:test'
import { spliceEventId, spliceIn, spliceOut } from './break-cues.ts'
import { decodeSection } from './decode-section.ts'
import { printHex } from './print-bytes.ts'

function commandOf(bytes: Uint8Array) {
  const result = decodeSection(bytes)
  assert.ok(result.kind === 'section')
  return result.section.command
}

const anInsert = {
  kind: 'splice_insert',
  isIdCompliant: true,
  splice: { kind: 'program_immediate' },
  uniqueProgramId: 0,
  availNum: 0,
  availsExpected: 0,
} as const

test('the start of a break leaves the network immediately, with the duration', () => {
  const eventId = spliceEventId(4, 77)

  const bytes = spliceOut({ eventId, durationTicks: 90 * 90_000, autoReturn: true })

  assert.deepEqual(commandOf(bytes), {
    ...anInsert,
    eventId: 0x4000004d,
    isOutOfNetwork: true,
    breakDuration: { autoReturn: true, durationTicks: 8_100_000 },
  })
})

test('the end of a break returns immediately, with the same id', () => {
  const bytes = spliceIn({ eventId: 0x4000004d })

  assert.deepEqual(commandOf(bytes), {
    ...anInsert,
    eventId: 0x4000004d,
    isOutOfNetwork: false,
    breakDuration: null,
  })
})

// Derived by hand from Tables 5, 10 and 15: playlists of different releases must agree on these bytes.
test('the bytes of both sections never change', () => {
  const out = spliceOut({ eventId: 0x4000004d, durationTicks: 2 ** 32 + 1, autoReturn: true })
  const back = spliceIn({ eventId: 0x4000004d })

  assert.match(printHex(out), /^0xFC3020000000000000FFFFF00F054000004D7FF7FF00000001000000000000.{8}$/)
  assert.match(printHex(back), /^0xFC301B000000000000FFFFF00A054000004D7F57000000000000.{8}$/)
})

test('an event number wraps after 28 bits and does not affect the source', () => {
  assert.equal(spliceEventId(12, 2 ** 28 - 1), 0xcfffffff)
  assert.equal(spliceEventId(12, 2 ** 28), 0xc0000000)
})

test('a break longer than the maximum has the maximum duration', () => {
  const command = commandOf(spliceOut({ eventId: 1, durationTicks: 2 ** 33, autoReturn: false }))

  assert.ok(command.kind === 'splice_insert')
  assert.deepEqual(command.breakDuration, { autoReturn: false, durationTicks: 2 ** 33 - 1 })
})
