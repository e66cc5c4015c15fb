import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { printFrame } from './snapshot-frame.ts'
import { readFrames } from './snapshot-reader.ts'
import { anId } from './testing/a-feed.ts'

/** Reads bytes as a file. Returns the updates read, by their length and first byte, and the result. */
async function readBytes(t: TestContext, bytes: Buffer) {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-frames-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'steps.log')
  await writeFile(file, bytes)
  const taken: [length: number, first: number | undefined][] = []
  const read = await readFrames(file, ({ update }) => {
    assert.ok(update.every((byte) => byte === update[0]))
    taken.push([update.length, update[0]])
    return update[0] !== REJECTED
  })
  return { taken, read }
}

/** First byte of an update that the caller of the reader rejects. */
const REJECTED = 99

const aFrame = (length: number, value: number) =>
  printFrame({ key: anId(), update: Buffer.alloc(length, value) })

test('frames are read in order, also across read boundaries and longer than one read', async (t) => {
  const lengths = [100, 700_000, 700_000, 5_000_000, 1, 1_048_576, 30]
  const bytes = Buffer.concat(lengths.map((length, at) => aFrame(length, at + 1)))

  const { taken, read } = await readBytes(t, bytes)

  assert.deepEqual(read, { endBytes: bytes.length, corruptStretches: 0, corruptBytes: 0 })
  assert.deepEqual(
    taken,
    lengths.map((length, at) => [length, at + 1]),
  )
})

test('only a frame with a wrong byte in its body or checksum is skipped', async (t) => {
  const frames = [aFrame(2_000_000, 1), aFrame(50, 2), aFrame(60, 3)]
  for (const offset of [4, 9, 1_000_000]) {
    const bytes = Buffer.concat(frames)
    bytes[offset]! ^= 0x10

    const { taken, read } = await readBytes(t, bytes)

    assert.deepEqual(taken, [
      [50, 2],
      [60, 3],
    ])
    assert.deepEqual(read, {
      endBytes: bytes.length,
      corruptStretches: 1,
      corruptBytes: frames[0]!.length,
    })
  }
})

test('a frame with a wrong length is recovered by its checksum', async (t) => {
  const lengths = [40, 50, 60]
  for (const frame of [0, 1, 2])
    for (const [byte, mask] of [
      [0, 0x80],
      [1, 0x01],
      [3, 0x01],
      [3, 0x20],
    ] as const) {
      const bytes = Buffer.concat(lengths.map((length, at) => aFrame(length, at + 1)))
      const at = lengths.slice(0, frame).reduce((sum, length) => sum + aFrame(length, 0).length, 0)
      bytes[at + byte]! ^= mask

      const { taken, read } = await readBytes(t, bytes)

      assert.deepEqual(taken, [
        [40, 1],
        [50, 2],
        [60, 3],
      ])
      assert.equal(read.corruptStretches, 1, `${frame} ${byte} ${mask}`)
      assert.equal(read.endBytes, bytes.length)
    }
})

test('inserted or missing bytes lose only their own frame', async (t) => {
  const [first, second, third] = [aFrame(40, 1), aFrame(50, 2), aFrame(60, 3)] as const
  const damages = [
    Buffer.concat([first, second.subarray(0, 30), Buffer.from('more'), second.subarray(30), third]),
    Buffer.concat([first, second.subarray(0, 30), second.subarray(34), third]),
    Buffer.concat([first, Buffer.alloc(5_000), third]),
  ]
  for (const bytes of damages) {
    const { taken, read } = await readBytes(t, bytes)

    assert.deepEqual(taken, [
      [40, 1],
      [60, 3],
    ])
    assert.deepEqual([read.endBytes, read.corruptStretches], [bytes.length, 1])
  }
})

test('an incomplete last frame is the end of the file, and is not corrupt', async (t) => {
  const [first, last] = [aFrame(40, 1), aFrame(50, 2)] as const
  for (let length = 0; length < last.length; length += 1) {
    const { taken, read } = await readBytes(t, Buffer.concat([first, last.subarray(0, length)]))

    assert.deepEqual(taken, [[40, 1]])
    assert.deepEqual(read, { endBytes: first.length, corruptStretches: 0, corruptBytes: 0 }, `${length}`)
  }
})

test('two corrupt frames at the end are corrupt, even if the first has a length beyond the end', async (t) => {
  const [first, second, third] = [aFrame(40, 1), aFrame(50, 2), aFrame(60, 3)] as const
  second[1]! ^= 0x10
  third[third.length - 1]! ^= 1
  const bytes = Buffer.concat([first, second, third])

  const { taken, read } = await readBytes(t, bytes)

  assert.deepEqual(taken, [[40, 1]])
  assert.deepEqual([read.endBytes, read.corruptStretches], [bytes.length, 1])
})

test('zeros at the end, as a file system may leave them, are corrupt and not an incomplete frame', async (t) => {
  const bytes = Buffer.concat([aFrame(40, 1), Buffer.alloc(64)])

  const { taken, read } = await readBytes(t, bytes)

  assert.deepEqual(taken, [[40, 1]])
  assert.deepEqual(read, { endBytes: bytes.length, corruptStretches: 1, corruptBytes: 64 })
})

test('a frame that the caller rejects counts as corrupt, and the next one is read', async (t) => {
  const bytes = Buffer.concat([aFrame(40, REJECTED), aFrame(50, 2)])

  const { taken, read } = await readBytes(t, bytes)

  assert.deepEqual(taken, [
    [40, REJECTED],
    [50, 2],
  ])
  assert.equal(read.corruptStretches, 1)
})

test('a frame embedded in a corrupt frame is not read', async (t) => {
  const inner = aFrame(40, 7)
  const outer = printFrame({ key: anId(), update: Buffer.concat([Buffer.alloc(20, 1), inner]) })
  outer[HEAD_AND_KEY]! ^= 1
  const bytes = Buffer.concat([outer, aFrame(50, 2)])

  const { taken } = await readBytes(t, bytes)

  assert.deepEqual(taken, [[50, 2]])
})

/** An offset in the first bytes of the update. */
const HEAD_AND_KEY = 70

test('a length above the maximum is corrupt, whatever the checksum', async (t) => {
  const longest = 16 * 1024 * 1024
  const { key } = { key: anId() }
  const overhead = printFrame({ key, update: Buffer.alloc(0) }).length - 8
  const [fits, tooLong] = [aFrame(longest - overhead, 1), aFrame(longest - overhead + 1, 2)] as const

  const { taken, read } = await readBytes(t, Buffer.concat([fits, tooLong, aFrame(50, 3)]))

  assert.deepEqual(taken, [
    [longest - overhead, 1],
    [50, 3],
  ])
  assert.deepEqual([read.corruptStretches, read.corruptBytes], [1, tooLong.length])
})

test('a file full of false frame heads is read in bounded time', { timeout: 30_000 }, async (t) => {
  // Each has a body length of a megabyte: checking all of them would checksum 200 gigabytes.
  const decoy = Buffer.from(aFrame(1, 1))
  decoy.writeUInt32BE(1_000_000, 0)
  const bytes = Buffer.concat(Array.from({ length: 200_000 }, () => decoy))

  const { taken, read } = await readBytes(t, bytes)

  assert.deepEqual(taken, [])
  assert.ok(read.corruptStretches > 0)
  assert.equal(read.endBytes, bytes.length)
})
