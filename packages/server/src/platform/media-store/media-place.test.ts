import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMediaPlace } from './media-place.ts'

test('a folder is told by its path or by its address', () => {
  assert.deepEqual(parseMediaPlace('/var/lib/media'), { kind: 'folder', folder: '/var/lib/media' })
  assert.deepEqual(parseMediaPlace('file:///var/lib/my%20media'), {
    kind: 'folder',
    folder: '/var/lib/my media',
  })
})

test('a bucket is told with all that it takes to reach it', () => {
  const text = 's3://north-media/a/b?endpoint=http://127.0.0.1:7480&region=eu-1&path_style=yes'

  assert.deepEqual(parseMediaPlace(text), {
    kind: 's3',
    bucket: 'north-media',
    prefix: 'a/b/',
    endpoint: 'http://127.0.0.1:7480',
    region: 'eu-1',
    isPathStyle: true,
  })
})

test("a bucket alone is one of Amazon's", () => {
  for (const text of ['s3://north-media', 's3://north-media/']) {
    assert.deepEqual(parseMediaPlace(text), {
      kind: 's3',
      bucket: 'north-media',
      prefix: '',
      endpoint: undefined,
      region: 'us-east-1',
      isPathStyle: false,
    })
  }
})

test('what says no place is refused, and so is one with a secret in it', () => {
  for (const text of [
    'media',
    './media',
    'http://media.example/',
    'file://host/media',
    's3://',
    's3://Bucket_1/',
    's3://key:secret@north-media/',
    's3://north-media/a//b',
    's3://north-media/.hidden/',
    's3://north-media/a%20b/',
    's3://north-media?endpoint=nowhere',
    's3://north-media?endpoint=http://key@127.0.0.1',
    's3://north-media?path_style=true',
    's3://north-media?pathstyle=yes',
  ]) {
    assert.equal(parseMediaPlace(text), undefined, text)
  }
})
