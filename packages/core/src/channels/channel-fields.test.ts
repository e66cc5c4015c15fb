import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fillChannel } from './channel-fields.ts'
import { countedFromMs, fillOutput, isRemovable } from './output-fields.ts'

test('the internal title is the title by default', () => {
  assert.equal(fillChannel({ title: 'North One' }).internalTitle, 'North One')
  assert.equal(fillChannel({ title: 'North One', internalTitle: 'n1' }).internalTitle, 'n1')
  assert.equal(fillChannel({ title: 'North One', internalTitle: '' }).internalTitle, '')
})

test("a channel with only a title has the account's slates and no filler", () => {
  assert.deepEqual(fillChannel({ title: 'North One' }), {
    title: 'North One',
    description: '',
    internalTitle: 'North One',
    rescueSlateVideoId: null,
    timeFillVideoId: null,
    adSlateVideoId: null,
    fillerPlaylistId: null,
    fillerTitle: null,
  })
})

test('the default output lists 32 s and marks breaks in both ways, with their actual length', () => {
  const expected = {
    key: null,
    windowMs: 32_000,
    markers: 'BOTH',
    breakPolicy: 'ACTUAL',
    audienceSource: 'NODES',
    delayMs: 0,
  }

  assert.deepEqual(fillOutput({}), expected)
  assert.deepEqual(fillOutput({ markers: 'CUE' }), { ...expected, markers: 'CUE' })
})

test('lines of access logs count from a minute after the audience source changed', () => {
  const nodes = { audienceSource: 'NODES' } as const
  const logs = { audienceSource: 'LOGS' } as const

  assert.equal(countedFromMs(nodes, logs, 5, 1_000), 61_000)
  assert.equal(countedFromMs(logs, nodes, 5, 1_000), 61_000)
  assert.equal(countedFromMs(logs, logs, 5, 1_000), 5)
})

test('every output can be removed except the direct one', () => {
  assert.equal(isRemovable('direct'), false)
  assert.equal(isRemovable('harbourtv'), true)
})
