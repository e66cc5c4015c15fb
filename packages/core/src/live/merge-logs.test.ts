import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { mergeLogs } from './merge-logs.ts'
import type { SlotLog, SlotRange, StoredLog } from './slot-log.ts'

const SLOT_MS = 3_200
const range = (firstSlot: number, endSlot: number, epoch: number): SlotRange => ({
  firstSlot,
  endSlot,
  epoch,
  key: `k${epoch}`,
})

function aStored(folder: string, ranges: readonly SlotRange[], over: Partial<SlotLog> = {}): StoredLog {
  return {
    log: { token: 1, folder, slotMs: SLOT_MS, knownFrom: 0, ranges, newest: null, ...over },
    storedMs: 0,
  }
}

const options = {
  folderOf: (folder: string, key: string, slot: number) => `${folder}/${key}/${slot}`,
  receivedMs: 1_000 * SLOT_MS,
  breaks: [],
}
const merged = (...inputs: readonly (StoredLog | undefined)[]) => mergeLogs(inputs, options)!
const pathsOf = (log: ReturnType<typeof merged>, slots: readonly number[]) =>
  slots.map((slot) => log.entryAt(slot)?.path)

test('a slot comes from the first input if it has it, otherwise from the second, otherwise it is missing', () => {
  const log = merged(aStored('a', [range(10, 12, 1), range(14, 15, 2)]), aStored('b', [range(9, 14, 1)]))

  assert.deepEqual(pathsOf(log, [8, 9, 10, 11, 12, 13, 14, 15]), [
    undefined,
    'b/k1/9',
    'a/k1/10',
    'a/k1/11',
    'b/k1/12',
    'b/k1/13',
    'a/k2/14',
    undefined,
  ])
})

test('two inputs never share an epoch, whatever their own epochs are', () => {
  const log = merged(aStored('a', [range(10, 11, 3)]), aStored('b', [range(11, 12, 3)]))

  assert.notEqual(log.entryAt(10)?.epoch, log.entryAt(11)?.epoch)
})

test('a merged log is known from where both logs are, and up to the receive time', () => {
  const log = merged(aStored('a', [], { knownFrom: 5 }), aStored('b', [], { knownFrom: 7 }))

  assert.deepEqual([log.knownFrom, log.knownUntil], [7, 999])
  assert.equal(mergeLogs([undefined, undefined], options), undefined)
  assert.equal(merged(undefined, aStored('b', [range(1, 2, 1)])).entryAt(1)?.path, 'b/k1/1')
})

test('the newest slot of an input counts by the time of its message', () => {
  const newest = { slot: 20, epoch: 1, key: 'k1' }
  const stored = (storedMs: number) => ({ ...aStored('a', [range(19, 20, 1)], { newest }), storedMs })

  assert.equal(merged(stored(20 * SLOT_MS + 10), undefined).entryAt(20)?.path, 'a/k1/20')
  assert.equal(merged(stored(22 * SLOT_MS), undefined).entryAt(20), undefined)
})

test('every slot is found as by a linear search through all ranges', () => {
  const lengths = fc.array(fc.tuple(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 0, max: 3 })), {
    maxLength: 12,
  })
  const rangesOf = (parts: readonly (readonly [number, number])[]) => {
    let slot = 100
    return parts.map(([length, gap], epoch) => {
      const one = range(slot + gap, slot + gap + length, epoch)
      slot = one.endSlot
      return one
    })
  }
  fc.assert(
    fc.property(lengths, lengths, (one, other) => {
      const inputs = [rangesOf(one), rangesOf(other)]
      const log = merged(aStored('a', inputs[0]!), aStored('b', inputs[1]!))
      for (let slot = 95; slot < 180; slot += 1) {
        const expected = inputs
          .flatMap((ranges, at) => ranges.map((it) => ({ ...it, folder: 'ab'[at] })))
          .find(({ firstSlot, endSlot }) => firstSlot <= slot && slot < endSlot)
        assert.equal(log.entryAt(slot)?.path, expected && `${expected.folder}/${expected.key}/${slot}`)
      }
    }),
  )
})
