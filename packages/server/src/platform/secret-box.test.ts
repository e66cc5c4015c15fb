import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createSecretBox, openSecretBox, readSecretKeys } from './secret-box.ts'

const [one, other] = [randomBytes(32), randomBytes(32)]

test('what an older key has sealed opens after a new one was put before it', () => {
  const sealed = createSecretBox([one]).seal(Buffer.from('tide'), 'a')

  assert.equal(createSecretBox([other, one]).open(sealed, 'a')?.toString(), 'tide')
  assert.equal(createSecretBox([other]).open(sealed, 'a'), undefined)
  assert.equal(createSecretBox([one]).open(sealed, 'b'), undefined)
})

test('a file of keys is read, and one that holds something else is refused', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-keys-'))
  t.after(() => rm(folder, { recursive: true }))
  const path = join(folder, 'keys')
  const given = async (text: string) => {
    await writeFile(path, text)
    return (await readSecretKeys(path)).kind
  }

  assert.equal(await given(`${one.toString('base64')}\n${other.toString('base64')}\n`), 'read')
  assert.equal(await given(''), 'refused')
  assert.equal(await given('not base64 but words that are long enough to be a key of 32 bytes'), 'refused')
  assert.equal(await given(randomBytes(31).toString('base64')), 'refused')
  assert.equal((await readSecretKeys(join(folder, 'none'))).kind, 'refused')
  assert.equal(await openSecretBox(''), undefined)
})
