import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { markIfStale, printMeasuredCode } from './measured-code.ts'

const NOTICE = '> Older than the code: `src` changed since this run.\n\n'

async function aProject(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), 'continuity-figures-'))
  t.after(() => rm(root, { recursive: true }))
  await mkdir(join(root, 'src/inner'), { recursive: true })
  await writeFile(join(root, 'src/inner/a.ts'), 'export const a = 1\n')
  const write = (file: string, text: string) => writeFile(join(root, file), text)
  /** Whether a change to this file alone makes the page stale. */
  const isStaleAfter = async (page: string, file: string) => {
    const before = await readFile(join(root, file), 'utf8')
    await write(file, '// changed\n')
    const isStale = markIfStale(page, root) !== page
    await write(file, before)
    return isStale
  }
  return { root, write, isStaleAfter }
}

const pageOf = (root: string) => `# Title\n\nText.\n\n${printMeasuredCode(['src'], root)}\n`

test('a page states that its code has changed since, and no longer once the code is restored', async (t) => {
  const { root, write } = await aProject(t)
  const page = pageOf(root)
  assert.equal(markIfStale(page, root), page)

  await write('src/inner/a.ts', 'export const a = 2\n')
  const stale = markIfStale(page, root)
  assert.equal(stale, page.replace('# Title\n\n', `# Title\n\n${NOTICE}`))
  assert.equal(markIfStale(stale, root), stale)

  await write('src/inner/a.ts', 'export const a = 1\n')
  assert.equal(markIfStale(stale, root), page)
})

test('a file that is added, removed or renamed makes a page stale; a test or its helper does not', async (t) => {
  const { root, write } = await aProject(t)
  const page = pageOf(root)

  await mkdir(join(root, 'src/inner/testing'))
  await write('src/inner/a.test.ts', '')
  await write('src/inner/testing/a-helper.ts', '')
  assert.equal(markIfStale(page, root), page)

  await write('src/b.ts', '')
  assert.match(markIfStale(page, root), /^# Title\n\n> Older than the code: /)
  await rm(join(root, 'src'), { recursive: true })
  assert.match(markIfStale(page, root), /^# Title\n\n> Older than the code: /)
})

test('components, styles and configurations make a page stale, installed packages do not', async (t) => {
  const { root, write } = await aProject(t)
  await mkdir(join(root, 'src/node_modules/other'), { recursive: true })
  const page = pageOf(root)

  await write('src/node_modules/other/index.d.ts', 'export {}\n')
  assert.equal(markIfStale(page, root), page)
  for (const file of ['a.tsx', 'a.module.css', 'a.sql', 'a.conf', 'a.conf.template', 'a.json']) {
    await write(`src/${file}`, '')
    assert.notEqual(markIfStale(page, root), page, file)
    await rm(join(root, 'src', file))
  }
})

test('a folder without code cannot be watched: its page would never be stale', async (t) => {
  const { root, write } = await aProject(t)
  await mkdir(join(root, 'docs'))
  await write('docs/README.md', '')

  assert.throws(() => printMeasuredCode(['docs'], root), /docs has no code to measure/)
  assert.throws(() => printMeasuredCode(['gone'], root), /gone has no code to measure/)
})

test('a page that does not record its code is stale', async (t) => {
  const { root } = await aProject(t)
  assert.match(markIfStale('# Title\n\nText.\n', root), /did not record which code it measured/)
})

test('a page of several runs is stale once the code of any of them has changed', async (t) => {
  const { root, write } = await aProject(t)
  await write('b.ts', 'export const b = 1\n')
  const named = printMeasuredCode(['b.ts'], root).replace('code:', 'code of another-run:')
  const page = `${pageOf(root)}\n## Another run\n\n${printMeasuredCode(['b.ts'], root)}\n`
  const listed = `${pageOf(root)}\n${named}\n`
  assert.equal(markIfStale(listed, root), listed)
  assert.equal(markIfStale(page, root), page)

  await write('b.ts', 'export const b = 2\n')
  for (const it of [page, listed])
    assert.match(markIfStale(it, root), /^# Title\n\n> Older than the code: `b\.ts` changed since this run\./)
})

test('a proof counts with what it imports from e2e, and with nothing else there', async (t) => {
  const { root, write, isStaleAfter } = await aProject(t)
  for (const folder of ['live', 'on-air', 'proofs'])
    await mkdir(join(root, 'e2e', folder), { recursive: true })
  await write('e2e/live/proof.ts', "import { system } from './system.ts'\nimport '../../src/inner/a.ts'\n")
  await write(
    'e2e/live/system.ts',
    "import { node } from '../on-air/node.ts'\nimport { p } from '../proofs/p.ts'\n",
  )
  await write('e2e/live/other.ts', '')
  await write('e2e/on-air/node.ts', "export { system } from '../live/system.ts'\n")
  await write('e2e/proofs/p.ts', '')
  const page = `# Title\n\n${printMeasuredCode(['e2e/live/proof.ts'], root)}\n`

  assert.deepEqual(
    [await isStaleAfter(page, 'e2e/live/other.ts'), await isStaleAfter(page, 'e2e/proofs/p.ts')],
    [false, false],
  )
  assert.equal(await isStaleAfter(page, 'src/inner/a.ts'), false)
  assert.equal(await isStaleAfter(page, 'e2e/on-air/node.ts'), true)
})

test('a folder of e2e counts with what its files import from elsewhere, and helpers of tests count once imported', async (t) => {
  const { root, write, isStaleAfter } = await aProject(t)
  for (const folder of ['e2e/live', 'e2e/on-air', 'src/testing'])
    await mkdir(join(root, folder), { recursive: true })
  await write(
    'e2e/live/a.ts',
    "import { b } from './b.ts'\nimport { link } from '../../src/testing/a-link.ts'\n",
  )
  await write('e2e/live/b.ts', "import { node } from '../on-air/node.ts'\n")
  await write('e2e/on-air/node.ts', '')
  await write('e2e/on-air/other.ts', '')
  await write('src/testing/a-link.ts', "import { rest } from './rest.ts'\n")
  await write('src/testing/rest.ts', '')
  await write('src/testing/another.ts', '')
  const page = `# Title\n\n${printMeasuredCode(['e2e/live'], root)}\n`

  assert.equal(await isStaleAfter(page, 'e2e/on-air/other.ts'), false)
  assert.equal(await isStaleAfter(page, 'src/testing/another.ts'), false)
  assert.equal(await isStaleAfter(page, 'e2e/on-air/node.ts'), true)
  assert.equal(await isStaleAfter(page, 'src/testing/rest.ts'), true)
})
