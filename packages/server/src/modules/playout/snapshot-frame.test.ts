import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { printFrame, readFrames } from './snapshot-frame.ts'
import { anId } from './testing/a-feed.ts'

test('frames are read in their order, also across reads and when they are longer than one', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-frames-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const lengths = [100, 700_000, 700_000, 5_000_000, 1, 1_048_576, 30]
  const steps = lengths.map((length, at) => Buffer.alloc(length, at + 1))
  const file = join(folder, 'steps.log')
  const whole = Buffer.concat(steps.map((step) => printFrame({ key: anId(), step })))
  await writeFile(file, whole)

  const read: [number, number | undefined][] = []
  const goodBytes = await readFrames(file, ({ step }) => {
    assert.ok(step.every((byte) => byte === step[0]))
    read.push([step.length, step[0]])
    return true
  })

  assert.equal(goodBytes, whole.length)
  assert.deepEqual(
    read,
    lengths.map((length, at) => [length, at + 1]),
  )
})
