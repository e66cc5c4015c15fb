import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SlotLog, SlotRange } from '@continuity/core/live/slot-log'
import { slotFolder } from '../../platform/live-bus/slot-folder.ts'
import { createLiveLogs } from './live-logs.ts'

const SLOT_MS = 3_200
const FIRST = 500_000_000

const range = (firstSlot: number, endSlot: number, epoch: number): SlotRange => ({
  firstSlot: FIRST + firstSlot,
  endSlot: FIRST + endSlot,
  epoch,
  key: `key ${epoch}`,
})

function aLog(ranges: readonly SlotRange[], over: Partial<SlotLog> = {}): string {
  const log: SlotLog = {
    token: 1,
    folder: 'live/a/s',
    slotMs: SLOT_MS,
    knownFrom: ranges[0]?.firstSlot ?? FIRST,
    ranges,
    newest: null,
    ...over,
  }
  return JSON.stringify(log)
}

const atMs = (slot: number) => (FIRST + slot) * SLOT_MS

function aNode() {
  const faults: unknown[] = []
  const logs = createLiveLogs((error) => faults.push(error))
  const pathAt = (slot: number, source = 's') => logs.view.findLog(source)?.entryAt(FIRST + slot)?.path
  return { ...logs, faults, pathAt }
}

test('the folder of a stored slot is found by the log alone', () => {
  const { apply, pathAt, view } = aNode()
  assert.equal(view.findLog('s'), undefined)

  apply('live.log.s.0', aLog([range(0, 4, 1)]), atMs(4))

  assert.equal(pathAt(2), slotFolder('live/a/s', 'key 1', FIRST + 2, SLOT_MS))
  assert.equal(pathAt(4), undefined)
})

test('the second input is used for slots missing from the first', () => {
  const { apply, pathAt } = aNode()
  apply('live.log.s.0', aLog([range(0, 4, 1), range(6, 8, 2)]), atMs(8))
  apply('live.log.s.1', aLog([range(2, 8, 5)], { folder: 'live/a/other' }), atMs(8))

  assert.equal(pathAt(3), slotFolder('live/a/s', 'key 1', FIRST + 3, SLOT_MS))
  assert.equal(pathAt(5), slotFolder('live/a/other', 'key 5', FIRST + 5, SLOT_MS))
  assert.equal(pathAt(7), slotFolder('live/a/s', 'key 2', FIRST + 7, SLOT_MS))
})

test('slots are kept when the stream was lost, and repeated or late messages change nothing', () => {
  const { apply, pathAt } = aNode()
  apply('live.log.s.0', aLog([range(0, 6, 1)]), atMs(6))
  apply('live.log.s.0', aLog([range(0, 5, 1)]), atMs(5))
  assert.notEqual(pathAt(5), undefined)

  apply('live.log.s.0', aLog([range(9, 10, 7)], { token: 2 }), atMs(10))

  assert.equal(pathAt(5), slotFolder('live/a/s', 'key 1', FIRST + 5, SLOT_MS))
  assert.equal(pathAt(9), slotFolder('live/a/s', 'key 7', FIRST + 9, SLOT_MS))
})

test('the newest version of the breaks is used, whatever the order of messages', () => {
  const { apply, view, pathAt } = aNode()
  const breaks = (version: number, firstSlot: number) =>
    JSON.stringify({
      version,
      slotMs: SLOT_MS,
      breaks: [{ key: 'a', origin: 'API', firstSlot, plannedSlots: 2, endSlot: firstSlot + 2, slate: null }],
    })
  const known = () => view.findLog('s')?.breaks.map(({ firstSlot }) => firstSlot)

  apply('live.breaks.s', breaks(1, 7), atMs(4))
  apply('live.log.s.0', aLog([range(0, 4, 1)]), atMs(4))
  assert.deepEqual(known(), [7])
  apply('live.breaks.s', breaks(3, 9), atMs(5))
  apply('live.breaks.s', breaks(2, 8), atMs(6))

  assert.deepEqual(known(), [9])
  assert.notEqual(pathAt(2), undefined)
})

test('a malformed message is reported, and changes nothing', () => {
  const { apply, pathAt, faults, count } = aNode()
  apply('live.log.s.0', aLog([range(0, 4, 1)]), atMs(4))
  for (const text of ['', 'x', '{}', '[]', '{"ranges":1}']) apply('live.log.s.0', text, atMs(9))
  for (const text of ['', '{}', '{"version":1}']) apply('live.breaks.s', text, atMs(9))

  assert.equal(faults.length, 8)
  assert.notEqual(pathAt(2), undefined)
  assert.equal(count(), 1)
})

test('memory for a source with many breaks is bounded', () => {
  const { apply, view } = aNode()
  for (let round = 0; round < 50; round += 1) {
    const from = 1_000 * round
    const ranges = Array.from({ length: 200 }, (_, at) => range(from + 2 * at, from + 2 * at + 1, at))
    apply('live.log.s.0', aLog(ranges, { token: round }), atMs(from + 500))
  }

  const log = view.findLog('s')!
  assert.ok(log.knownFrom >= FIRST + 49_000)
})
