import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import type { MediaStore } from '../media-store.ts'
import { aFile, LARGE_BYTES, readBack, someBytes, type TrialStore } from './trial-store.ts'

const PUT_FILE = join(import.meta.dirname, 'put-file.ts')

/** Far more than is written before the test kills the writer. */
const KILLED_BYTES = 50 * 1024 * 1024

/** So many that it is not written before a busy machine notices that it is being written. */
const ABORTED_BYTES = 8 * KILLED_BYTES

/** Tests of the MediaStore interface, for the store that `trial` returns. Keys are new in each test. */
export function testMediaStore(trial: () => TrialStore): void {
  const storeOf = (): MediaStore => trial().store

  test('objects are read back byte for byte, from bytes and from a file, small and large', async (t) => {
    const store = storeOf()
    for (const length of [0, 1, 70_000, LARGE_BYTES]) {
      const bytes = someBytes(length)
      await store.put(`back/${length}/bytes.ts`, { bytes })
      await store.put(`back/${length}/file.ts`, { file: await aFile(t, bytes) })

      for (const key of [`back/${length}/bytes.ts`, `back/${length}/file.ts`]) {
        const found = await store.find(key)
        assert.equal(found?.sizeBytes, length)
        assert.match(found.etag, /^"[\x21\x23-\x7e]+"$/)
        assert.ok(Math.abs(found.lastModifiedMs - Date.now()) < 600_000)
        assert.ok((await readBack(store, key))?.equals(bytes), key)
      }
    }
  })

  test('a key that was not put is missing, also above, below and beside existing ones', async () => {
    const store = storeOf()
    await store.put('missing/a.ts', { bytes: someBytes(10) })

    for (const key of ['missing/b.ts', 'missing/a.ts/c.ts', 'nowhere/a.ts', 'missing/a.ts.json']) {
      assert.equal(await store.has(key), false, key)
      assert.equal(await store.find(key), undefined, key)
      assert.equal(await store.open(key), undefined, key)
    }
  })

  test('a second put does not replace the first, small and large', async (t) => {
    const store = storeOf()
    for (const length of [1_000, LARGE_BYTES]) {
      const first = someBytes(length)
      const key = `first/${length}.mp4`

      await store.put(key, { file: await aFile(t, first) })
      const tag = (await store.find(key))?.etag
      await store.put(key, { file: await aFile(t, someBytes(length)) })

      assert.equal((await store.find(key))?.etag, tag)
      assert.ok((await readBack(store, key))?.equals(first))
    }
  })

  test('concurrent puts of one key store one complete object', async () => {
    const store = storeOf()
    const all = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, index))

    await Promise.all(all.map((bytes) => store.put('race/a.ts', { bytes })))
    const first = await readBack(store, 'race/a.ts')

    assert.ok(all.some((bytes) => first?.equals(bytes)))
  })

  test('a long put does not replace an object that was put meanwhile', async (t) => {
    const { store, isWriting } = trial()
    const file = await aFile(t, Buffer.alloc(KILLED_BYTES, 1))

    const slow = store.put('between/a.mp4', { file })
    await untilWriting(isWriting)
    await store.put('between/a.mp4', { bytes: Buffer.from('first') })
    const first = await readBack(store, 'between/a.mp4')
    await slow
    const last = await readBack(store, 'between/a.mp4')

    assert.ok(first !== undefined && last?.equals(first))
    assert.equal(await isWriting(), false)
  })

  test('a range is exact; its end may be beyond the object, its start may not', async () => {
    const store = storeOf()
    const bytes = someBytes(600_000)
    await store.put('range/a.ts', { bytes })

    for (const [from, to] of [
      [0, 1],
      [599_999, 600_000],
      [255_000, 265_001],
      [0, 600_000],
      [599_000, 900_000],
    ] as const) {
      const opened = await store.open('range/a.ts', { from, to })
      assert.equal(opened?.sizeBytes, 600_000)
      opened.stream.destroy()
      assert.ok((await readBack(store, 'range/a.ts', { from, to }))?.equals(bytes.subarray(from, to)))
    }
    await assert.rejects(store.open('range/a.ts', { from: 600_000, to: 600_001 }), RangeError)
  })

  test('removeAll removes everything under a prefix and nothing else', async (t) => {
    const store = storeOf()
    const kept = ['gone/10/a.ts', 'gone/1.ts', 'kept/a.ts']
    for (const key of ['gone/1/a.ts', 'gone/1/b/c.ts', 'gone/1/b/d.jpg', ...kept])
      await store.put(key, { bytes: someBytes(10) })
    await store.put('gone/1/large.mp4', { file: await aFile(t, someBytes(LARGE_BYTES)) })

    await store.removeAll('gone/1/')
    await store.removeAll('gone/nothing/')

    for (const key of ['gone/1/a.ts', 'gone/1/b/c.ts', 'gone/1/b/d.jpg', 'gone/1/large.mp4'])
      assert.equal(await store.has(key), false, key)
    for (const key of kept) assert.equal(await store.has(key), true, key)
  })

  test('an invalid key is rejected by every method', async () => {
    const store = storeOf()
    for (const key of [
      '',
      '../a.ts',
      'a/../b.ts',
      '/etc/a.ts',
      'a//b.ts',
      '.a.ts',
      'a/.b.ts',
      'a b.ts',
      'a.exe',
    ])
      for (const call of [
        () => store.put(key, { bytes: someBytes(1) }),
        () => store.find(key),
        () => store.has(key),
        () => store.open(key),
      ])
        await assert.rejects(call(), /is not a media key/, key)
    for (const prefix of ['', '/', 'a', '../', 'a/../', '.drafts/'])
      await assert.rejects(store.removeAll(prefix), /is not a media prefix/, prefix)
  })

  test('an aborted put rejects with its reason and leaves no object', async (t) => {
    const { store, isWriting } = trial()
    const file = await aFile(t, Buffer.of())
    await truncate(file, ABORTED_BYTES)
    const controller = new AbortController()

    const putting = store.put('given-up/a.mp4', { file }, controller.signal)
    const outcome = assert.rejects(putting, /enough/)
    await untilWriting(isWriting)
    controller.abort(new Error('enough'))
    await outcome

    assert.equal(await store.has('given-up/a.mp4'), false)
    assert.equal(await isWriting(), false)
  })

  test('a killed writer leaves no object, and the next put is complete', async (t) => {
    const { store, mediaStore, env, isWriting } = trial()
    const bytes = Buffer.alloc(KILLED_BYTES, 7)
    const file = await aFile(t, bytes)

    const writer = spawn(process.execPath, [PUT_FILE, mediaStore, 'killed/a.mp4', file], {
      env,
      stdio: 'inherit',
    })
    const ended = once(writer, 'exit')
    await untilWriting(isWriting)
    writer.kill('SIGKILL')
    const [, signal] = (await ended) as [number | null, string | null]
    const seen = await store.has('killed/a.mp4')
    await store.put('killed/a.mp4', { file })

    assert.equal(signal, 'SIGKILL')
    assert.equal(seen, false)
    assert.ok((await readBack(store, 'killed/a.mp4'))?.equals(bytes))
    await store.removeAll('killed/')
    await store.removeAll('back/')
  })

  test('ping resolves for a working store', async () => {
    await storeOf().ping()
  })
}

/** Polls without a pause: a disk may be done within tens of milliseconds. */
async function untilWriting(isWriting: () => Promise<boolean>): Promise<void> {
  const endMs = performance.now() + 15_000
  while (!(await isWriting())) assert.ok(performance.now() < endMs, 'no write started within 15 s')
}
