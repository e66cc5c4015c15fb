import assert from 'node:assert/strict'
import { chmod, chown, lstat, mkdir, open, readdir, readFile, stat, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { NOW_MS } from '../../../http/testing/credentials.ts'
import { writeKeysFile } from '../../../platform/signing-keys/signing-keys.ts'
import { aRecordedDisk } from '../../../platform/testing/a-recorded-disk.ts'
import { aKeyEntry, aKeysFile } from '../testing/a-keys-file.ts'
import { credentialKeys } from './credential-keys.ts'

const HOUR_MS = 3_600_000
const file = { keys: [aKeyEntry('key-1')] }

test('a new file has mode 0600, can be read, and no temporary file is left', async (t) => {
  const path = join(dirname(await aKeysFile(t, '')), 'other.json')

  await writeKeysFile(path, file)

  const result = await credentialKeys.read(path)
  assert.ok(result.kind === 'read')
  assert.deepEqual(result.file, file)
  assert.equal((await stat(path)).mode & 0o777, 0o600)
  assert.deepEqual((await readdir(dirname(path))).toSorted(), ['keys.json', 'other.json'])
})

test('an existing file keeps its mode and its group', async (t) => {
  const path = await aKeysFile(t, 'old')
  const groups = process.getgroups?.() ?? []
  const gid = process.getuid?.() === 0 ? 12_345 : (groups.at(-1) ?? 0)
  await chown(path, process.getuid?.() ?? 0, gid)
  await chmod(path, 0o640)

  await writeKeysFile(path, file)

  const written = await stat(path)
  assert.deepEqual([written.mode & 0o777, written.gid], [0o640, gid])
  assert.match(await readFile(path, 'utf8'), /key-1/)
})

test('a file replaces the old one only after it is synced, and survives a power failure', async (t) => {
  const path = await aKeysFile(t, 'old')
  const disk = await aRecordedDisk(t)

  await writeKeysFile(path, file)

  assert.deepEqual(disk.named, [{ path, isSynced: true }])
  assert.equal(await disk.survives(path, dirname(path)), true)
})

test('a reader that has the old file open reads the old file to its end', async (t) => {
  const path = await aKeysFile(t, 'old')
  const reader = await open(path)
  t.after(() => reader.close())

  await writeKeysFile(path, file)

  assert.equal(await reader.readFile('utf8'), 'old')
})

test('a symbolic link stays a link, and its target is written', async (t) => {
  const path = await aKeysFile(t, 'old')
  const link = join(dirname(path), 'link.json')
  await symlink('keys.json', link)

  await writeKeysFile(link, file)

  assert.ok((await lstat(link)).isSymbolicLink())
  assert.match(await readFile(path, 'utf8'), /key-1/)
})

test('if the file cannot be renamed, the write fails and no temporary file is left', async (t) => {
  const folder = join(dirname(await aKeysFile(t, '')), 'folder.json')
  await mkdir(folder)

  await assert.rejects(writeKeysFile(folder, file), { code: 'EISDIR' })

  assert.deepEqual((await readdir(dirname(folder))).toSorted(), ['folder.json', 'keys.json'])
})

test('a rotation adds the next key and removes retired keys', async (t) => {
  const path = await aKeysFile(t, { keys: [aKeyEntry('old'), aKeyEntry('signing', HOUR_MS)] })

  const early = await credentialKeys.rotateFile(path, NOW_MS + HOUR_MS)
  const late = await credentialKeys.rotateFile(path, NOW_MS + 3 * HOUR_MS)

  assert.ok(early.kind === 'rotated' && late.kind === 'rotated')
  assert.equal(early.keys.length, 3)
  assert.equal(
    late.keys.some(({ kid }) => kid === 'old'),
    false,
  )
  const read = await credentialKeys.read(path)
  assert.ok(read.kind === 'read')
  assert.deepEqual([...read.keys.keys()].toSorted(), late.keys.map(({ kid }) => kid).toSorted())
})

test('an invalid file is rejected and stays unchanged', async (t) => {
  const path = await aKeysFile(t, '{"keys": []}')

  const result = await credentialKeys.rotateFile(path, NOW_MS)

  assert.ok(result.kind === 'rejected')
  assert.match(result.fault, /contains no key/)
  assert.equal(await readFile(path, 'utf8'), '{"keys": []}')
})
