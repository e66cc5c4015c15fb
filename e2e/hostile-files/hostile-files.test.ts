import { test } from 'node:test'
import { assertSabotageIsFound, assertSmall } from '../proofs/proof.ts'
import { hostileFiles } from './proof.ts'

test('no file reaches an internal address or another file, or stops a worker', async () => {
  await assertSmall(hostileFiles, 1)
})

test('the proof goes red when ffmpeg may open playlists and follow their addresses', async () => {
  await assertSabotageIsFound(hostileFiles, 1)
})
