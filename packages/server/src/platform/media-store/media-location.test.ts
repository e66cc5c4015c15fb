import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMediaLocation } from './media-location.ts'

test('a folder is given by its path or by a file URL', () => {
  assert.deepEqual(parseMediaLocation('/var/lib/media'), { kind: 'folder', folder: '/var/lib/media' })
  assert.deepEqual(parseMediaLocation('file:///var/lib/my%20media'), {
    kind: 'folder',
    folder: '/var/lib/my media',
  })
})

test('a bucket is given with its prefix, endpoint, region and path style', () => {
  const text = 's3://north-media/a/b?endpoint=http://127.0.0.1:7480&region=eu-1&path_style=yes'

  assert.deepEqual(parseMediaLocation(text), {
    kind: 's3',
    bucket: 'north-media',
    prefix: 'a/b/',
    endpoint: 'http://127.0.0.1:7480',
    region: 'eu-1',
    isPathStyle: true,
  })
})

test('a bucket without an endpoint is at Amazon', () => {
  for (const text of ['s3://north-media', 's3://north-media/']) {
    assert.deepEqual(parseMediaLocation(text), {
      kind: 's3',
      bucket: 'north-media',
      prefix: '',
      endpoint: undefined,
      region: 'us-east-1',
      isPathStyle: false,
    })
  }
})

test('an invalid location is rejected, and so is one with a secret in it', () => {
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
    assert.equal(parseMediaLocation(text), undefined, text)
  }
})
