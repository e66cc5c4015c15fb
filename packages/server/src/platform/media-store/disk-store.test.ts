import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { link, mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { aRecordedDisk } from '../testing/a-recorded-disk.ts'
import { openDiskStore } from './disk-store.ts'
import { StoreUnavailable } from './store-unavailable.ts'
import { testMediaStore } from './testing/store-contract.ts'
import { readBack, someBytes } from './testing/trial-store.ts'

const MEBIBYTE = 1024 * 1024

/** Mounting needs root, and a container may still forbid it. */
const mountFault = findMountFault()
const needsMount = { skip: mountFault ?? false }

const folder = await mkdtemp(join(tmpdir(), 'continuity-media-'))
after(() => rm(folder, { recursive: true, force: true }))
const drafts = join(folder, '.drafts')

testMediaStore(() => ({
  store: openDiskStore(folder),
  mediaStore: folder,
  env: {},
  async isWriting() {
    const names = await readdir(drafts).catch(() => [])
    const sizes = await Promise.all(
      names.map(async (name) => (await stat(join(drafts, name)).catch(() => undefined))?.size ?? 0),
    )
    return sizes.some((size) => size > MEBIBYTE && size < 50 * MEBIBYTE)
  },
}))

test('drafts of killed writers are removed after a day, and drafts in progress are not', async () => {
  await mkdir(drafts, { recursive: true })
  const [old, young] = [join(drafts, 'old'), join(drafts, 'young')]
  await writeFile(old, 'x')
  await writeFile(young, 'x')
  for (const [file, hours] of [
    [old, 25],
    [young, 23],
  ] as const) {
    const then = new Date(Date.now() - hours * 3_600_000)
    await utimes(file, then, then)
  }

  await openDiskStore(folder).ping()
  const names = await readdir(drafts)

  assert.equal(names.includes('old'), false)
  assert.equal(names.includes('young'), true)
})

test('a store that only reads does not change the folder', async (t) => {
  const path = await aFolder(t)
  const store = openDiskStore(path)

  await store.find('a.ts')
  await store.open('a.ts')

  assert.deepEqual(await readdir(path), [])
})

test('without its folder the store is unreachable and does not create it, and works again once it exists', async (t) => {
  const path = await aFolder(t)
  const store = openDiskStore(path)
  await store.put('a/b.ts', { bytes: someBytes(10) })
  await rename(path, `${path}-away`)

  for (const call of [
    () => store.find('a/b.ts'),
    () => store.open('a/b.ts'),
    () => store.put('a/c.ts', { bytes: someBytes(10) }),
    () => store.removeAll('a/'),
    () => store.ping(),
  ])
    await assert.rejects(call(), isFault('store.unreachable'))
  await assert.rejects(stat(path))
  await rename(`${path}-away`, path)

  assert.equal(await store.has('a/b.ts'), true)
  await store.put('a/c.ts', { bytes: someBytes(10) })
})

test(
  'a full disk is reported as store.full, shows no object, and accepts it when there is room',
  needsMount,
  async (t) => {
    const path = await aMount(t, 'size=2m')
    const store = openDiskStore(path)
    const bytes = someBytes(MEBIBYTE + 500_000)
    await store.put('first/a.ts', { bytes })

    await assert.rejects(store.put('full/a.ts', { bytes }), isFault('store.full'))
    const seen = await store.has('full/a.ts')
    await store.put('small/a.ts', { bytes: someBytes(1_000) })
    await store.removeAll('first/')
    await store.put('full/a.ts', { bytes })

    assert.equal(seen, false)
    assert.ok((await readBack(store, 'full/a.ts'))?.equals(bytes))
  },
)

test('a disk without a free block fails the ping', needsMount, async (t) => {
  const path = await aMount(t, 'size=1m')
  await writeFile(join(path, 'ballast'), someBytes(MEBIBYTE))
  const store = openDiskStore(path)

  await assert.rejects(store.ping(), isFault('store.full'))
  await rm(join(path, 'ballast'))
  await store.ping()
})

test('a read-only disk is readable and rejects writes until it is writable', needsMount, async (t) => {
  const path = await aMount(t, 'size=2m')
  const bytes = someBytes(1_000)
  await openDiskStore(path).put('a/a.ts', { bytes })
  execFileSync('mount', ['-o', 'remount,ro', path])
  const store = openDiskStore(path)

  await assert.rejects(store.put('a/b.ts', { bytes }), isFault('store.read_only'))
  await assert.rejects(store.ping(), isFault('store.read_only'))
  await assert.rejects(store.removeAll('a/'), isFault('store.read_only'))
  assert.ok((await readBack(store, 'a/a.ts'))?.equals(bytes))
  assert.equal(await store.has('a/b.ts'), false)

  execFileSync('mount', ['-o', 'remount,rw', path])
  await store.put('a/b.ts', { bytes })
  assert.ok((await readBack(store, 'a/b.ts'))?.equals(bytes))
})

test('an object is linked only after its bytes are synced, and survives a power cut once it is put', async (t) => {
  const path = await aFolder(t)
  const source = join(await aFolder(t), 'source')
  await writeFile(source, someBytes(2 * MEBIBYTE + 1))
  const disk = await aRecordedDisk(t)
  const store = openDiskStore(path)

  await store.put('a/b/one.ts', { bytes: someBytes(1_000) })
  assert.equal(await disk.survives(join(path, 'a/b/one.ts'), path), true)
  await store.put('a/b/two.ts', { file: source })
  assert.equal(await disk.survives(join(path, 'a/b/two.ts'), path), true)

  assert.deepEqual(
    disk.named,
    ['a/b/one.ts', 'a/b/two.ts'].map((key) => ({ path: join(path, key), isSynced: true })),
  )
})

test('an object survives a power cut once it is put, also where its folders were removed and created again', async (t) => {
  const path = await aFolder(t)
  const disk = await aRecordedDisk(t)
  const store = openDiskStore(path)

  await store.put('a/b/one.ts', { bytes: someBytes(1_000) })
  const { birthtimeMs } = await stat(join(path, 'a/b'))
  // The disk distinguishes folders by its clock, which advances every few milliseconds.
  for (let nowMs = birthtimeMs; nowMs <= birthtimeMs; nowMs = (await stat(join(path, 'now'))).mtimeMs)
    await writeFile(join(path, 'now'), '')
  await store.removeAll('a/')
  await store.put('a/b/two.ts', { bytes: someBytes(1_000) })

  assert.equal(await disk.survives(join(path, 'a/b/two.ts'), path), true)
})

test('an object whose writer was killed before it synced the folder survives a power cut once it is put again', async (t) => {
  const path = await aFolder(t)
  const disk = await aRecordedDisk(t)
  await mkdir(join(path, 'a/b'), { recursive: true })
  const draft = await open(join(path, 'draft'), 'wx')
  await draft.writeFile(someBytes(1_000))
  await draft.sync()
  await draft.close()
  await link(join(path, 'draft'), join(path, 'a/b/one.ts'))
  assert.equal(await disk.survives(join(path, 'a/b/one.ts'), path), false)

  await openDiskStore(path).put('a/b/one.ts', { bytes: someBytes(1_000) })

  assert.equal(await disk.survives(join(path, 'a/b/one.ts'), path), true)
})

test('a missing source file is an error of the caller, not of the store', async () => {
  const store = openDiskStore(folder)

  await assert.rejects(store.put('source/a.ts', { file: '/nowhere/at/all' }), { code: 'ENOENT' })
  assert.equal(await store.has('source/a.ts'), false)
})

const isFault = (code: string) => (error: unknown) => error instanceof StoreUnavailable && error.code === code

async function aFolder(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  t.after(() => rm(path, { recursive: true, force: true }))
  return path
}

async function aMount(t: TestContext, options: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path])
  t.after(async () => {
    execFileSync('umount', [path])
    await rm(path, { recursive: true, force: true })
  })
  return path
}

function findMountFault(): string | undefined {
  if (process.getuid?.() !== 0) return 'mounting a small disk needs root'
  try {
    execFileSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'this machine forbids mounting'
  }
}
