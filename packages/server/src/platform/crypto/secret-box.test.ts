import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSecretBox, openSecretBox, readSecretKeys } from './secret-box.ts'

const [one, other] = [randomBytes(32), randomBytes(32)]

test('a value sealed with an older key opens after a new key was added', () => {
  const sealed = createSecretBox([one]).seal(Buffer.from('tide'), 'a')

  assert.equal(createSecretBox([other, one]).open(sealed, 'a')?.toString(), 'tide')
  assert.equal(createSecretBox([other]).open(sealed, 'a'), undefined)
  assert.equal(createSecretBox([one]).open(sealed, 'b'), undefined)
})

test('a file of keys is read, and any other content is rejected', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'keys')
  const given = async (text: string) => {
    await writeFile(path, text)
    return (await readSecretKeys(path)).kind
  }

  assert.equal(await given(`${one.toString('base64')}\n${other.toString('base64')}\n`), 'read')
  assert.equal(await given(''), 'rejected')
  assert.equal(await given('not base64 but text that are long enough to be a key of 32 bytes'), 'rejected')
  assert.equal(await given(randomBytes(31).toString('base64')), 'rejected')
  assert.equal((await readSecretKeys(join(folder, 'none'))).kind, 'rejected')
  assert.equal(await openSecretBox(''), undefined)
})
