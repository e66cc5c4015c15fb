import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { WindowedProgram } from '@continuity/core/timeline/span'
import { packGuide } from '../../platform/feed/guide-codec.ts'
import { openGuideFiles, readGuideFile } from './guide-files.ts'
import { anId } from './testing/a-feed.ts'

const aPlan = (...ids: readonly string[]): readonly WindowedProgram[] =>
  ids.map((id, at) => ({ id, title: id, description: '', startMs: at, endMs: at + 1, details: {} }))

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-guides-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'guides')
}

const aGuide = async (epoch: number, version: number, ...ids: readonly string[]) =>
  (await packGuide({ epoch, version }, aPlan(...ids))).bytes

test('a guide is read as it was stored, also after a restart', async (t) => {
  const folder = await aFolder(t)
  const changed: string[] = []
  await openGuideFiles(folder, (id) => changed.push(id)).store(anId('c1'), await aGuide(1, 5, 'a', 'b'))

  const again = openGuideFiles(folder, (id) => changed.push(id))

  assert.deepEqual(await readGuideFile(folder, 'c1'), aPlan('a', 'b'))
  assert.equal(await readGuideFile(folder, 'c2'), undefined)
  assert.equal(await again.isKnown(anId('c1'), await aGuide(1, 5, 'a')), true)
  assert.equal(await again.isKnown(anId('c1'), await aGuide(1, 6, 'a')), false)
  assert.equal(await again.isKnown(anId('c2'), await aGuide(1, 1, 'a')), false)
  assert.deepEqual(changed, ['c1'])
})

test('an older guide changes nothing, and one of a later epoch replaces any version', async (t) => {
  const folder = await aFolder(t)
  const files = openGuideFiles(folder, () => {})
  const stored = async (bytes: Uint8Array) => {
    await files.store(anId('c1'), bytes)
    return (await readGuideFile(folder, 'c1'))?.map(({ id }) => id)
  }

  assert.deepEqual(await stored(await aGuide(2, 7, 'seven')), ['seven'])
  assert.deepEqual(await stored(await aGuide(2, 6, 'six')), ['seven'])
  assert.deepEqual(await stored(await aGuide(1, 90, 'ninety')), ['seven'])
  assert.deepEqual(await stored(await aGuide(3, 1, 'restored')), ['restored'])
})

test('a corrupt guide is not stored, and a corrupt file is deleted and replaced by the next message', async (t) => {
  const folder = await aFolder(t)
  const files = openGuideFiles(folder, () => {})
  const bytes = await aGuide(1, 5, 'a', 'b')
  await files.store(anId('c1'), bytes.with(20, bytes[20]! ^ 1))
  assert.deepEqual(await readdir(folder).catch(() => []), [])

  await files.store(anId('c1'), bytes)
  const path = join(folder, 'c1.guide')
  await writeFile(path, (await readFile(path)).subarray(0, -3))

  assert.equal(await readGuideFile(folder, 'c1'), undefined)
  await openGuideFiles(folder, () => {}).store(anId('c1'), bytes)
  assert.deepEqual(await readGuideFile(folder, 'c1'), aPlan('a', 'b'))
})

test('a channel id that is not a file name is ignored', async (t) => {
  const folder = await aFolder(t)
  const files = openGuideFiles(folder, () => {})

  await files.store(anId('../c1'), await aGuide(1, 5, 'a'))

  assert.deepEqual(await readdir(folder).catch(() => []), [])
})
