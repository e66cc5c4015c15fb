import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { openScratch, removeOldScratch } from './scratch.ts'

async function aRoot(t: TestContext): Promise<string> {
  const root = await mkdtemp(join(tmpdir(), 'continuity-scratch-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  return root
}

test('the next attempt finds the marks and the files of the last one', async (t) => {
  const root = await aRoot(t)
  const first = await openScratch(root, 'asset', '1')
  await first.remember('fetched', { bytes: 5 })
  await writeFile(join(first.folder, 'original'), 'bytes')

  const second = await openScratch(root, 'asset', '2')

  assert.deepEqual(await second.recall('fetched'), { bytes: 5 })
  assert.ok(existsSync(join(second.folder, 'original')))
  assert.equal(await second.recall('facts'), undefined)
})

test('a stalled attempt cannot write any more after another has taken over', async (t) => {
  const root = await aRoot(t)
  const first = await openScratch(root, 'asset', '1')
  await openScratch(root, 'asset', '2')

  await assert.rejects(first.remember('facts', {}), { code: 'ENOENT' })
  await assert.rejects(writeFile(join(first.folder, 'original'), ''), { code: 'ENOENT' })
})

test('assets do not share anything', async (t) => {
  const root = await aRoot(t)
  const one = await openScratch(root, 'one', '1')
  await one.remember('fetched', 1)
  const other = await openScratch(root, 'other', '1')

  await one.remove()

  assert.equal(await other.recall('fetched'), undefined)
  assert.ok(!existsSync(one.folder) && existsSync(other.folder))
})

test('an abandoned folder is removed, and a new one stays', async (t) => {
  const root = await aRoot(t)
  const [old, fresh] = [await openScratch(root, 'old', '1'), await openScratch(root, 'fresh', '1')]
  await utimes(join(root, 'old'), 1_000, 1_000)

  await removeOldScratch(root, 2_000_000)
  await removeOldScratch(join(root, 'not there'), 0)

  assert.ok(!existsSync(old.folder) && existsSync(fresh.folder))
})
