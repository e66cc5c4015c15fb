import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChannelSort } from './channel-sort.ts'

test('a sort consists of a field and a direction, the direction in either case', () => {
  assert.deepEqual(readChannelSort('title.asc'), { by: 'foldedTitle', order: 'asc' })
  assert.deepEqual(readChannelSort('title.ASC'), { by: 'foldedTitle', order: 'asc' })
  assert.deepEqual(readChannelSort('lastModifiedDate.desc'), { by: 'updatedMs', order: 'desc' })
  assert.deepEqual(readChannelSort('createdDate.DESC'), { by: 'createdMs', order: 'desc' })
  assert.deepEqual(readChannelSort('linearChannelId.asc'), { by: 'channelId', order: 'asc' })
})

test('any other text is rejected', () => {
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
