import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readDelivery } from './delivery.ts'

const expected = { streamSequence: 7_000_000_001, sequence: 3, storedMs: 1_767_225_600_123, pending: 12 }

test('the metadata of a message is read in the format of every server version', () => {
  const numbers = '1.7000000001.3.1767225600123456789.12'

  assert.deepEqual(readDelivery(`$JS.ACK.FEED.xyz.${numbers}`), expected)
  assert.deepEqual(readDelivery(`$JS.ACK._.hash.FEED.xyz.${numbers}`), expected)
  assert.deepEqual(readDelivery(`$JS.ACK._.hash.FEED.xyz.${numbers}.random`), expected)
})

test('a reply subject that is not of JetStream has no metadata', () => {
  for (const reply of [
    undefined,
    '',
    '_INBOX.abc',
    '$JS.ACK.FEED.xyz.1.2.x.4.5',
    '$JS.FC.FEED.xyz.1.2.3.4.5',
  ]) {
    assert.equal(readDelivery(reply), undefined)
  }
})
