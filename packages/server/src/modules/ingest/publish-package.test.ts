import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import { publishPackage } from './publish-package.ts'

const files = ['a/1.ts', 'a/2.ts', 'b/1.ts', 'index.json', 'main.m3u8', 'video.mp4']

async function aPackage(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-package-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  for (const file of files) {
    await mkdir(dirname(join(folder, file)), { recursive: true })
    await writeFile(join(folder, file), file)
  }
  return folder
}

/** A store that tells when each put began and ended, in which those of `held` are already. */
function aStore(held: ReadonlySet<string> = new Set()) {
  const told: string[] = []
  const store: Pick<MediaStore, 'has' | 'put'> = {
    has: async (key) => held.has(key),
    put: async (key) => {
      told.push(`begin ${key}`)
      await new Promise(setImmediate)
      told.push(`end ${key}`)
    },
  }
  return { store: store as MediaStore, told }
}

const running = () => new AbortController().signal

test('the index of a package is put when all of its other files are: what has an index is whole', async (t) => {
  const { store, told } = aStore()
  const shares: number[] = []

  await publishPackage(
    store,
    { folder: await aPackage(t), path: 'assets/x' },
    { signal: running(), onProgress: (share) => shares.push(share) },
  )

  assert.deepEqual(told.slice(-2), ['begin assets/x/index.json', 'end assets/x/index.json'])
  assert.deepEqual(
    told.toSorted(),
    files.flatMap((file) => [`begin assets/x/${file}`, `end assets/x/${file}`]).toSorted(),
  )
  assert.deepEqual(
    shares,
    files.map((_, at) => (at + 1) / files.length),
  )
})

test('a file that cannot be put leaves the package without its index', async (t) => {
  const { store, told } = aStore()
  const broken: MediaStore = {
    ...store,
    put: (key, ...rest) =>
      key.endsWith('video.mp4') ? Promise.reject(new Error('no room')) : store.put(key, ...rest),
  }

  const published = publishPackage(
    broken,
    { folder: await aPackage(t), path: 'assets/x' },
    { signal: running(), onProgress: () => {} },
  )

  await assert.rejects(published, /no room/)
  assert.ok(!told.some((line) => line.includes('index.json')), told.join())
})

test('what the store has already is not put again', async (t) => {
  const { store, told } = aStore(new Set(files.slice(0, -1).map((file) => `assets/x/${file}`)))

  await publishPackage(
    store,
    { folder: await aPackage(t), path: 'assets/x' },
    { signal: running(), onProgress: () => {} },
  )

  assert.deepEqual(told, ['begin assets/x/video.mp4', 'end assets/x/video.mp4'])
})

test('one that is given up puts nothing more', async (t) => {
  const { store, told } = aStore()

  const published = publishPackage(
    store,
    { folder: await aPackage(t), path: 'assets/x' },
    { signal: AbortSignal.abort(new Error('given up')), onProgress: () => {} },
  )

  await assert.rejects(published, /given up/)
  assert.deepEqual(told, [])
})
