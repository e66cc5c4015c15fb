import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeSlate } from './make-slate.ts'
import { anOrder, aPackaging } from './testing/a-packaging.ts'

test('a slate is packaged in segments of one GOP, and no other file is left', async (t) => {
  const { root, deps } = await aPackaging(t)
  const folder = join(root, 'package')

  const index = await makeSlate(deps, { ...anOrder(folder), seconds: 5 })

  assert.equal(index.segmentMs, 1_600)
  assert.deepEqual(index.segments, [144_000, 144_000, 162_000])
  assert.deepEqual(await readdir(root), ['package'])
})
