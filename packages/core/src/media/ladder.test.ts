import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DEFAULT_LADDER, downloadRung, readLadder } from './ladder.ts'

test('a ladder is sorted from the lowest rung to the highest', () => {
  assert.deepEqual(readLadder('1280x720@3000+128, 640x360@800+96'), {
    kind: 'ladder',
    ladder: [DEFAULT_LADDER[0], DEFAULT_LADDER[2]],
  })
})

test('all faults of a ladder are reported at once', () => {
  const result = readLadder('640x361@800+96,wide,9000x360@800+96,640x720@1+999')

  assert.deepEqual(result, {
    kind: 'rejected',
    faults: [
      '"640x361@800+96": height must be even',
      '"wide" is not WIDTHxHEIGHT@VIDEO+AUDIO',
      '"9000x360@800+96": width must be from 32 to 4096',
      '"640x720@1+999": videoKbps must be from 20 to 50000',
      '"640x720@1+999": audioKbps must be from 32 to 320',
    ],
  })
})

test('rungs of the same height and more than eight rungs are rejected', () => {
  const twice = readLadder('640x360@800+96,480x360@500+96')
  const nine = readLadder(Array.from({ length: 9 }, (_, at) => `64x${36 + at * 2}@100+64`).join(','))

  assert.deepEqual(twice, { kind: 'rejected', faults: ['360p is repeated'] })
  assert.equal(nine.kind, 'rejected')
  assert.equal(readLadder('').kind, 'rejected')
})

test('the file for download has at most 720p if there is such a rung', () => {
  assert.equal(downloadRung(DEFAULT_LADDER).name, '720p')
  assert.equal(downloadRung(DEFAULT_LADDER.slice(3)).name, '1080p')
})
