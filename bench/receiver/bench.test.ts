import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readLadder } from '@continuity/core/media/ladder'
import { compareReceiver } from './compare.ts'

test('the receiver bench receives a source and reports its ratio to bare ffmpeg', async () => {
  const read = readLadder('160x90@100+64')
  assert.ok(read.kind === 'ladder')

  const figures = await compareReceiver({
    ladder: read.ladder,
    preset: 'ultrafast',
    rounds: 1,
    segments: 1,
    skippedSegments: 2,
    log: () => {},
  })

  assert.ok(Number(figures['receiver_cpu_ratio']) > 0)
  assert.ok(Number(figures['our_cores']) > 0)
  assert.ok(Number(figures['segments_measured']) >= 1)
})
