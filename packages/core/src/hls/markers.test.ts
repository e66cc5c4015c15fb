import assert from 'node:assert/strict'
import { test } from 'node:test'
import { at, ticks } from '../schedule/testing/a-schedule.ts'
import { decodeSection } from '../scte35/decode-section.ts'
import type { ShownBreak } from '../timeline/breaks.ts'
import { printCue, printRanges } from './markers.ts'

const aBreak = (over: Partial<ShownBreak> = {}): ShownBreak => ({
  sequence: 43,
  startTicks: at(16),
  plannedTicks: ticks(16),
  endTicks: at(32),
  reportedTicks: ticks(16),
  isOver: false,
  ...over,
})

test('a break that is not over has one date range, with its planned duration', () => {
  const lines = printRanges([aBreak()], 0).trimEnd().split('\n')

  assert.equal(lines.length, 1)
  assert.match(
    lines[0]!,
    /^#EXT-X-DATERANGE:ID="break-43",START-DATE="2026-01-01T00:00:16\.000Z",PLANNED-DURATION=16\.000,SCTE35-OUT=0x[0-9A-F]+$/,
  )
})

test('the end of a break is a second date range with the same id and start, and the reported duration', () => {
  const [out, end] = printRanges([aBreak({ isOver: true, reportedTicks: ticks(4.8) })], 0).split('\n')

  assert.equal(out, printRanges([aBreak()], 0).trimEnd())
  assert.match(
    end!,
    /^#EXT-X-DATERANGE:ID="break-43",START-DATE="2026-01-01T00:00:16\.000Z",DURATION=4\.800,SCTE35-IN=0x[0-9A-F]+$/,
  )
})

test('the sections of a break begin and end the same event', () => {
  const text = printRanges([aBreak({ isOver: true })], 0)

  const commands = [...text.matchAll(/SCTE35-(?:OUT|IN)=0x([0-9A-F]+)/g)].map(([, hex]) => commandOf(hex!))

  assert.deepEqual(commands, [
    { eventId: 4 * 2 ** 28 + 43, isOutOfNetwork: true, durationTicks: ticks(16) },
    { eventId: 4 * 2 ** 28 + 43, isOutOfNetwork: false, durationTicks: undefined },
  ])
})

test('a segment in a break is marked with its offset in the break', () => {
  assert.equal(printCue([aBreak()], at(16)), '#EXT-X-CUE-OUT:DURATION=16.000\n')
  assert.equal(printCue([aBreak()], at(17.6)), '#EXT-X-CUE-OUT-CONT:ElapsedTime=1.600,Duration=16.000\n')
})

test('the first segment after a break is marked, and nothing before or after it', () => {
  assert.equal(printCue([aBreak()], at(14.4)), '')
  assert.equal(printCue([aBreak()], at(32)), '#EXT-X-CUE-IN\n')
  assert.equal(printCue([aBreak()], at(35.2)), '')
})

test('between consecutive breaks, one ends and the other begins', () => {
  const next = aBreak({ sequence: 53, startTicks: at(32), endTicks: at(48) })

  assert.equal(printCue([aBreak(), next], at(32)), '#EXT-X-CUE-IN\n#EXT-X-CUE-OUT:DURATION=16.000\n')
})

function commandOf(hex: string) {
  const result = decodeSection(Buffer.from(hex, 'hex'))
  assert.ok(result.kind === 'section' && result.section.command.kind === 'splice_insert')
  const { command } = result.section
  assert.ok('breakDuration' in command)
  const { eventId, isOutOfNetwork, breakDuration } = command
  return { eventId, isOutOfNetwork, durationTicks: breakDuration?.durationTicks }
}
