import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { createGit } from '../../tools/previous-release/git.ts'
import { assertSmall } from '../proofs/proof.ts'
import { findDifference } from './compare-reads.ts'
import { upgrade } from './proof.ts'
import { requirePreviousRelease } from './releases.ts'

test('this release is rolled out beside the previous one, and rolled back, while a channel is on the air', async (t) => {
  const { version, breaking } = await requirePreviousRelease()

  if (breaking !== undefined)
    t.diagnostic(`not tried: version ${version} cannot run on the schema of ${breaking}`)
  else await assertSmall(upgrade, 1)
})

test('the recorded release is the newest of the changelog, or the one before it while that is being made', async () => {
  const { commit, version } = await requirePreviousRelease()
  const changelog = await readFile(join(projectRoot, 'CHANGELOG.md'), 'utf8')
  const dated = [...changelog.matchAll(/^## (\d+\.\d+\.\d+) \(/gm)].map((match) => match[1])

  const { version: ofItsPackage }: { version: string } = JSON.parse(
    await createGit(projectRoot).read('show', `${commit}:package.json`),
  )

  assert.equal(ofItsPackage, version)
  assert.ok(dated.slice(0, 2).includes(version), `${version} is not one of ${dated.slice(0, 2).join(', ')}`)
})

test('an answer may have more fields than that of the previous release, and nothing else', () => {
  const before = { title: 'One', outputs: [{ distributor: 'direct' }], end: null }

  const differences = [
    { ...before, added: 1 },
    { ...before, outputs: [{ distributor: 'direct', added: 1 }] },
    { ...before, title: 'Two' },
    { ...before, outputs: [] },
    { title: 'One', outputs: before.outputs },
  ].map((after) => findDifference(before, after))

  assert.deepEqual(differences, [
    undefined,
    undefined,
    '$.title is "One" and "Two"',
    '$.outputs has 1 and 0 entries',
    '$.end is null and undefined',
  ])
})
