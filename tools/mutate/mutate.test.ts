import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { projectRoot } from '../architecture/source-files.ts'
import { applyChange } from '../source-changes/project-copy.ts'
import { changeOf, isTextForPeople } from './find-mutants.ts'
import type { ListedMutant } from './listed-mutant.ts'
import { findFaults, loadListed } from './load-listed.ts'
import { limitOf, startMutantRunner, timeoutVerdict } from './mutant-runner.ts'
import { createNearestTests } from './nearest-tests.ts'
import { replaceSection } from './page.ts'
import { runTestFile } from './run-test-file.ts'

const core = 'packages/core/src'

test('every listed mutant applies to the code as it is, and names tests that exist', async () => {
  const lists = await loadListed()

  assert.ok(lists.length > 0)
  assert.deepEqual(findFaults(lists), [])
})

test('a listed mutant is out of date when its text is gone, is there twice, or has no test', () => {
  const mutant: ListedMutant = {
    id: 'a',
    title: '',
    change: { file: `${core}/time/ticks.ts`, from: 'no such text', to: '' },
    tests: [`${core}/time/none.test.ts`],
  }
  const gone = findFaults([{ area: 'time', mutants: [mutant, mutant] }])
  const untested = findFaults([{ area: 'time', mutants: [{ ...mutant, tests: [] }] }])

  assert.match(gone.join('\n'), /a is listed twice\na: .*none\.test\.ts does not exist\na: .*0 times/)
  assert.match(untested.join('\n'), /a names no test/)
  assert.match(findFaults([{ area: 'time', mutants: [] }]).join(), /time lists no mutant/)
})

test('a mutant is killed by a test that fails, survives one that passes, and is broken where it does not compile', async () => {
  await using runner = await startMutantRunner(2)
  const file = `${core}/channels/channel-sort.ts`
  const tests = [`${core}/channels/channel-sort.test.ts`]
  const changeTo = (to: string) => ({ file, from: 'export function', to })
  const verdictOf = async (to: string) => (await runner.run(changeTo(to), tests)).verdict

  // Two at the same time do not meet.
  const texts = ['throw new Error()\nexport function', 'export function ', 'export function  ']
  const [killed, survived, oneTooMany] = await Promise.allSettled(texts.map(verdictOf))

  assert.deepEqual(killed, { status: 'fulfilled', value: 'killed' })
  assert.deepEqual(survived, { status: 'fulfilled', value: 'survived' })
  assert.match(String((oneTooMany as PromiseRejectedResult).reason), /only 2 mutants can be run/)
  assert.equal(await verdictOf('undeclared()\nexport function'), 'broken')
  assert.equal(await verdictOf('export function '), 'survived', 'the mutants before are gone')
  await assert.rejects(verdictOf('export function('), { code: 'ERR_INVALID_TYPESCRIPT_SYNTAX' })
})

test('a mutant whose test fails only once survives', async (t) => {
  const tries = join(await aFolder(t), 'tries')
  await using runner = await startMutantRunner()
  const failOnce = `import { existsSync, writeFileSync } from 'node:fs'
if (!existsSync('${tries}')) {
  writeFileSync('${tries}', '')
  throw new Error('once')
}
`
  const change = {
    file: `${core}/channels/channel-sort.ts`,
    from: 'export function',
    to: `${failOnce}export function`,
  }
  const { verdict, noticedBy } = await runner.run(change, [`${core}/channels/channel-sort.test.ts`])

  assert.ok(existsSync(tries), 'it failed once')
  assert.equal(verdict, 'survived')
  assert.match(noticedBy ?? '', /channel-sort\.test\.ts failed once: /)
})

test('a test file without an end is timed out, and what it started with it', async (t) => {
  const folder = await aFolder(t)
  await writeFile(join(folder, 'endless.test.ts'), 'setInterval(() => {}, 1_000)')

  const run = await runTestFile(folder, 'endless.test.ts', { limitMs: 500, env: {} })

  assert.equal(run.outcome, 'timed out')
})

test('a timeout is noticed by the tests only where they were ten times faster without the mutant', () => {
  assert.equal(timeoutVerdict(5.9, 60), 'timed out')
  assert.equal(timeoutVerdict(6, 60), 'undecided')
  for (const seconds of [0, 1, 6, 39]) assert.equal(timeoutVerdict(seconds, limitOf(seconds)), 'timed out')
  assert.equal(timeoutVerdict(70, limitOf(70)), 'undecided')
})

test('the nearest tests of a file import it, and those of its folder come first', () => {
  const nearest = createNearestTests()
  const found = nearest(`${core}/timeline/window.ts`)

  assert.equal(found[0], `${core}/timeline/window.test.ts`)
  assert.ok(found.includes(`${core}/hls/media-playlist.test.ts`))
  assert.ok(!found.includes(`${core}/search/words.test.ts`))
  assert.ok(
    nearest('packages/server/src/modules/auth/records/session-store.ts').some((file) =>
      file.endsWith('.db.test.ts'),
    ),
  )
})

test('a mutant as a change of text occurs once in its file', () => {
  const file = `${core}/time/ticks.ts`
  const text = readFileSync(join(projectRoot, file), 'utf8')
  const [first, second] = [text.indexOf('export'), text.lastIndexOf('export')]
  assert.notEqual(first, second)
  const mutant = { file, line: 1, mutator: 'BooleanLiteral', original: 'export', replacement: 'x' }

  for (const start of [first, second]) {
    const mutated = applyChange(text, changeOf({ ...mutant, start, end: start + 'export'.length }))
    assert.equal(mutated, `${text.slice(0, start)}x${text.slice(start + 'export'.length)}`)
  }
})

test('texts for people are not mutated, and names are', () => {
  const isLeftOut = (text: string, original: string, file = 'packages/core/src/a.ts') =>
    isTextForPeople({ mutator: 'StringLiteral', original, file, start: text.indexOf(original) }, text)

  assert.ok(isLeftOut(`logger.warn('slow')`, `'slow'`))
  assert.ok(isLeftOut(`throw new Error('late')`, `'late'`))
  assert.ok(isLeftOut(`return reject('must be a number')`, `'must be a number'`))
  assert.ok(isLeftOut(`status: 'GONE'`, `'GONE'`, 'packages/server/src/modules/auth/records/errors.ts'))
  assert.ok(!isLeftOut(`return 'READY'`, `'READY'`))
  assert.ok(!isLeftOut('`<programme start=`', '`<programme start=`'))
})

test('a section is replaced by itself, and the others stay', () => {
  const page = replaceSection(replaceSection('# Page\n', 'B', '## B\n\nold\n'), 'A', '## A\n\nfirst\n')

  assert.equal(replaceSection(page, 'B', '## B\n\nnew\n'), '# Page\n\n## A\n\nfirst\n\n## B\n\nnew\n')
})

async function aFolder(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'continuity-mutate-'))
  t.after(() => rm(folder, { recursive: true }))
  return folder
}
