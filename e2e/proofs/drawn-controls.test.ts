import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { suite, test } from 'node:test'
import { projectRoot } from '../../tools/architecture/source-files.ts'
import { createGit } from '../../tools/previous-release/git.ts'
import { proofs } from './all.ts'
import { ALWAYS_RUN, drawControls } from './drawn-controls.ts'
import { assertSabotageIsFound, type Proof } from './proof.ts'

const DRAWN = 2

// Without a history, as in an archive, the same ones each time.
const commit = (await createGit(projectRoot).find('rev-parse', 'HEAD')) ?? '0'

// They wait more than they compute.
void suite('controls that this commit draws', { concurrency: true }, () => {
  for (const it of drawControls(proofs, commit, DRAWN)) {
    test(`${it.name} fails when ${it.sabotage.title}`, async () => {
      await assertSabotageIsFound(it, 1)
    })
  }
})

test('commits draw each control that no other test runs, and none twice', () => {
  const drawn = Array.from({ length: 1_000 }, (_, at) => {
    const names = drawControls(proofs, `${(at * 2_654_435).toString(16).padStart(8, '0')}abcd`, DRAWN)
    assert.equal(new Set(names).size, DRAWN)
    return names.map(({ name }) => name)
  })

  const timesOf = new Map<string, number>()
  for (const name of drawn.flat()) timesOf.set(name, (timesOf.get(name) ?? 0) + 1)
  const times = [...timesOf.values()]
  assert.equal(timesOf.size, proofs.length - ALWAYS_RUN.size)
  // 45 each on average.
  assert.ok(Math.min(...times) > 22 && Math.max(...times) < 90, times.join(', '))
})

test('the controls that are not drawn are those that tests of their own run', async () => {
  const found = await Promise.all(
    globSync('e2e/*/**/*.test.ts', { cwd: projectRoot })
      .filter((path) => !path.startsWith('e2e/proofs/'))
      .map(async (path) => {
        const text = readFileSync(join(projectRoot, path), 'utf8')
        const [, exported] = /assertSabotageIsFound\((\w+), /.exec(text) ?? []
        if (exported === undefined) return []
        const [, from] = new RegExp(`import [{] ${exported} [}] from '(.+)'`).exec(text)!
        const module = (await import(join(projectRoot, dirname(path), from!))) as Record<string, Proof>
        return [module[exported]!.name]
      }),
  )

  assert.deepEqual(found.flat().toSorted(), [...ALWAYS_RUN].toSorted())
})
