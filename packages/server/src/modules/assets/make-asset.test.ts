import assert from 'node:assert/strict'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { MediaStore } from '../../platform/media-store/media-store.ts'
import { publishPackage } from './make-asset.ts'

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

/** A store that records when each put began and ended, and already has the keys in `stored`. */
function aStore(stored: ReadonlySet<string> = new Set()) {
  const puts: string[] = []
  const store: Pick<MediaStore, 'has' | 'put'> = {
    has: async (key) => stored.has(key),
    put: async (key) => {
      puts.push(`begin ${key}`)
      await new Promise(setImmediate)
      puts.push(`end ${key}`)
    },
  }
  return { store: store as MediaStore, puts }
}

const running = () => new AbortController().signal

test('the index of a package is put after all of its other files', async (t) => {
  const { store, puts } = aStore()
  const shares: number[] = []

  await publishPackage(
    store,
    { folder: await aPackage(t), path: 'assets/x' },
    { signal: running(), onProgress: (share) => shares.push(share) },
  )

  assert.deepEqual(puts.slice(-2), ['begin assets/x/index.json', 'end assets/x/index.json'])
  assert.deepEqual(
    puts.toSorted(),
    files.flatMap((file) => [`begin assets/x/${file}`, `end assets/x/${file}`]).toSorted(),
  )
  assert.deepEqual(
    shares,
    files.map((_, at) => (at + 1) / files.length),
  )
})

test('a file that cannot be put leaves the package without its index', async (t) => {
  const { store, puts } = aStore()
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
  assert.ok(!puts.some((line) => line.includes('index.json')), puts.join())
})

test('a file that the store already has is not put again', async (t) => {
  const { store, puts } = aStore(new Set(files.slice(0, -1).map((file) => `assets/x/${file}`)))

  await publishPackage(
    store,
    { folder: await aPackage(t), path: 'assets/x' },
    { signal: running(), onProgress: () => {} },
  )

  assert.deepEqual(puts, ['begin assets/x/video.mp4', 'end assets/x/video.mp4'])
})

test('a publication that is aborted puts nothing more', async (t) => {
  const { store, puts } = aStore()

  const published = publishPackage(
    store,
    { folder: await aPackage(t), path: 'assets/x' },
    { signal: AbortSignal.abort(new Error('aborted')), onProgress: () => {} },
  )

  await assert.rejects(published, /aborted/)
  assert.deepEqual(puts, [])
})
