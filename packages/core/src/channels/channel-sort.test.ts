import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChannelSort } from './channel-sort.ts'

test('a sort names a field and an order, the order in either case', () => {
  assert.deepEqual(readChannelSort('title.asc'), { by: 'foldedTitle', order: 'asc' })
  assert.deepEqual(readChannelSort('title.ASC'), { by: 'foldedTitle', order: 'asc' })
  assert.deepEqual(readChannelSort('lastModifiedDate.desc'), { by: 'updatedMs', order: 'desc' })
  assert.deepEqual(readChannelSort('createdDate.DESC'), { by: 'createdMs', order: 'desc' })
  assert.deepEqual(readChannelSort('linearChannelId.asc'), { by: 'channelId', order: 'asc' })
})

test('anything else is no sort', () => {
  for (const text of [
    '',
    'title',
    'title.',
    '.asc',
    'title.Asc',
    'Title.asc',
    'title.asc ',
    'toString.asc',
  ]) {
    assert.equal(readChannelSort(text), undefined, text)
  }
})
