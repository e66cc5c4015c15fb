import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { link, mkdir, mkdtemp, open, readdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { aRecordedDisk } from '../testing/a-recorded-disk.ts'
import { openDiskStore } from './disk-store.ts'
import { StoreUnavailable } from './store-unavailable.ts'
import { keepsItsPromises } from './testing/store-promises.ts'
import { readBack, someBytes } from './testing/trial-store.ts'

const MEBIBYTE = 1024 * 1024

/** Mounting needs root, and a container may forbid it all the same. */
const mountFault = findMountFault()
const needsMount = { skip: mountFault ?? false }

const folder = await mkdtemp(join(tmpdir(), 'continuity-media-'))
after(() => rm(folder, { recursive: true, force: true }))
const drafts = join(folder, '.drafts')

keepsItsPromises(() => ({
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

test('what killed writers left is removed after a day, and not what others are writing', async () => {
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

test('one that only reads leaves the folder as it is', async (t) => {
  const place = await aFolder(t)
  const store = openDiskStore(place)

  await store.find('a.ts')
  await store.open('a.ts')

  assert.deepEqual(await readdir(place), [])
})

test('without its folder the store is unreachable, makes none, and is whole again with it', async (t) => {
  const place = await aFolder(t)
  const store = openDiskStore(place)
  await store.put('a/b.ts', { bytes: someBytes(10) })
  await rename(place, `${place}-away`)

  for (const call of [
    () => store.find('a/b.ts'),
    () => store.open('a/b.ts'),
    () => store.put('a/c.ts', { bytes: someBytes(10) }),
    () => store.removeAll('a/'),
    () => store.ping(),
  ])
    await assert.rejects(call(), isFault('store.unreachable'))
  await assert.rejects(stat(place))
  await rename(`${place}-away`, place)

  assert.equal(await store.has('a/b.ts'), true)
  await store.put('a/c.ts', { bytes: someBytes(10) })
})

test(
  'a full disk is told as that, shows nothing, and takes the object when there is room',
  needsMount,
  async (t) => {
    const place = await aMount(t, 'size=2m')
    const store = openDiskStore(place)
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

test('a disk without a block to spare fails the ping', needsMount, async (t) => {
  const place = await aMount(t, 'size=1m')
  await writeFile(join(place, 'ballast'), someBytes(MEBIBYTE))
  const store = openDiskStore(place)

  await assert.rejects(store.ping(), isFault('store.full'))
  await rm(join(place, 'ballast'))
  await store.ping()
})

test(
  'a disk that may only be read is read, and refuses the rest until it is writable',
  needsMount,
  async (t) => {
    const place = await aMount(t, 'size=2m')
    const bytes = someBytes(1_000)
    await openDiskStore(place).put('a/a.ts', { bytes })
    execFileSync('mount', ['-o', 'remount,ro', place])
    const store = openDiskStore(place)

    await assert.rejects(store.put('a/b.ts', { bytes }), isFault('store.read_only'))
    await assert.rejects(store.ping(), isFault('store.read_only'))
    await assert.rejects(store.removeAll('a/'), isFault('store.read_only'))
    assert.ok((await readBack(store, 'a/a.ts'))?.equals(bytes))
    assert.equal(await store.has('a/b.ts'), false)

    execFileSync('mount', ['-o', 'remount,rw', place])
    await store.put('a/b.ts', { bytes })
    assert.ok((await readBack(store, 'a/b.ts'))?.equals(bytes))
  },
)

test('an object has its name only with all of its bytes on the disk, and survives a power cut once it is put', async (t) => {
  const place = await aFolder(t)
  const source = join(await aFolder(t), 'source')
  await writeFile(source, someBytes(2 * MEBIBYTE + 1))
  const disk = await aRecordedDisk(t)
  const store = openDiskStore(place)

  await store.put('a/b/one.ts', { bytes: someBytes(1_000) })
  assert.equal(await disk.survives(join(place, 'a/b/one.ts'), place), true)
  await store.put('a/b/two.ts', { file: source })
  assert.equal(await disk.survives(join(place, 'a/b/two.ts'), place), true)

  assert.deepEqual(
    disk.named,
    ['a/b/one.ts', 'a/b/two.ts'].map((key) => ({ path: join(place, key), isSynced: true })),
  )
})

test('an object survives a power cut once it is put, also where its folders were removed and made again', async (t) => {
  const place = await aFolder(t)
  const disk = await aRecordedDisk(t)
  const store = openDiskStore(place)

  await store.put('a/b/one.ts', { bytes: someBytes(1_000) })
  const { birthtimeMs } = await stat(join(place, 'a/b'))
  // The disk tells folders apart by its clock, which takes some milliseconds to move on.
  for (let nowMs = birthtimeMs; nowMs <= birthtimeMs; nowMs = (await stat(join(place, 'now'))).mtimeMs)
    await writeFile(join(place, 'now'), '')
  await store.removeAll('a/')
  await store.put('a/b/two.ts', { bytes: someBytes(1_000) })

  assert.equal(await disk.survives(join(place, 'a/b/two.ts'), place), true)
})

test('an object whose writer was killed before its name was safe survives a power cut once it is put again', async (t) => {
  const place = await aFolder(t)
  const disk = await aRecordedDisk(t)
  await mkdir(join(place, 'a/b'), { recursive: true })
  const draft = await open(join(place, 'draft'), 'wx')
  await draft.writeFile(someBytes(1_000))
  await draft.sync()
  await draft.close()
  await link(join(place, 'draft'), join(place, 'a/b/one.ts'))
  assert.equal(await disk.survives(join(place, 'a/b/one.ts'), place), false)

  await openDiskStore(place).put('a/b/one.ts', { bytes: someBytes(1_000) })

  assert.equal(await disk.survives(join(place, 'a/b/one.ts'), place), true)
})

test("a source that is not there is the caller's fault, not the store's", async () => {
  const store = openDiskStore(folder)

  await assert.rejects(store.put('source/a.ts', { file: '/nowhere/at/all' }), { code: 'ENOENT' })
  assert.equal(await store.has('source/a.ts'), false)
})

const isFault = (code: string) => (error: unknown) => error instanceof StoreUnavailable && error.code === code

async function aFolder(t: TestContext): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  t.after(() => rm(place, { recursive: true, force: true }))
  return place
}

async function aMount(t: TestContext, options: string): Promise<string> {
  const place = await mkdtemp(join(tmpdir(), 'continuity-media-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', place])
  t.after(async () => {
    execFileSync('umount', [place])
    await rm(place, { recursive: true, force: true })
  })
  return place
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
