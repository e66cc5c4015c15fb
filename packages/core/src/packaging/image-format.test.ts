import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readCodecs } from './avc-codec.ts'
import { readImageFormat } from './image-format.ts'
import { readJpegSize } from './jpeg-size.ts'

const bytes = (text: string) => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

test('the format of a picture is detected by its first bytes', () => {
  assert.equal(readImageFormat(bytes('\xff\xd8\xff\xe0\0\x10JFIF\0\x01')), 'jpeg_pipe')
  assert.equal(readImageFormat(bytes('\x89PNG\r\n\x1a\n\0\0\0\x0d')), 'png_pipe')
  assert.equal(readImageFormat(bytes('RIFF\x10\0\0\0WEBPVP8 ')), 'webp_pipe')
  assert.equal(readImageFormat(bytes('GIF89a\x01\0\x01\0')), 'gif')
  for (const other of ['', '<svg>', '#EXTM3U', 'RIFF\x10\0\0\0AVI ']) {
    assert.equal(readImageFormat(bytes(other)), undefined)
  }
})

test('the size of a JPEG is in its frame header, after its tables', () => {
  const head = '\xff\xd8\xff\xe0\0\x04ab\xff\xc0\0\x11\x08\x02\xd0\x05\0\x03'

  assert.deepEqual(readJpegSize(bytes(head)), { width: 1_280, height: 720 })
  assert.equal(readJpegSize(bytes(head.slice(0, 12))), undefined)
  assert.equal(readJpegSize(bytes('\xff\xd8nothing of the kind')), undefined)
})

test('profile and level are read from the parameter set of a segment', () => {
  assert.equal(readCodecs(bytes('\x47\0\0\x01\x09\xf0\0\0\0\x01\x67\x64\0\x1f\xac')), 'avc1.64001f,mp4a.40.2')
  assert.equal(readCodecs(bytes('\x47\0\0\x01\x09\xf0')), undefined)
  for (const code of ['\x01\0\x01', '\0\x01\x01', '\0\0\x02']) {
    assert.equal(readCodecs(bytes(`${code}\x67\x64\0\x1f\xac`)), undefined, 'no start code')
  }
})
