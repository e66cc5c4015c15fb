import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { anchorsOf, findFault, linksIn } from './links.ts'

const documents = globSync('{*.md,{bench,deploy,docs,e2e,examples,packages,proofs,tools}/**/*.md}', {
  cwd: projectRoot,
  exclude: ['**/node_modules/**'],
})

test('every link of the documents leads to a file or a heading of the project', () => {
  const links = documents.flatMap((document) =>
    linksIn(document, readFileSync(join(projectRoot, document), 'utf8')),
  )

  assert.ok(documents.length >= 100 && links.length >= 150, `${documents.length} ${links.length}`)
  const faults = links.flatMap((link) => {
    const fault = findFault(projectRoot, link)
    return fault === undefined ? [] : [`${link.document}:${link.line}: ${link.target} ${fault}`]
  })
  assert.deepEqual(faults, [])
})

test('every page of documentation can be reached from the README', () => {
  const seen = new Set<string>()
  const follow = (document: string) => {
    if (seen.has(document)) return
    seen.add(document)
    for (const { target } of linksIn(document, readFileSync(join(projectRoot, document), 'utf8'))) {
      const path = join(document, '..', target.split('#', 1)[0]!)
      if (path.endsWith('.md') && documents.includes(path)) follow(path)
      // A link to a folder shows the list of its files.
      else for (const inside of documents) if (join(inside, '..') === path.replace(/\/$/, '')) follow(inside)
    }
  }
  follow('README.md')

  assert.deepEqual(
    documents.filter((document) => document.startsWith('docs/') && !seen.has(document)).toSorted(),
    [],
  )
})

test('links to nothing are found, and what is no link is not', async (t) => {
  const root = await mkdtemp(join(tmpdir(), 'links-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  await mkdir(join(root, 'docs'))
  await writeFile(
    join(root, 'docs/a.md'),
    '# One two\n\n## `code` & more\n\n## One two\n\n| <a id="row"></a> |\n',
  )
  const text = [
    '[right](docs/a.md) [heading](docs/a.md#one-two-1) [row](docs/a.md#row) [folder](docs/) [site](https://example.com/nothing)',
    '[missing](docs/b.md) ![picture](docs/b.png)',
    '[heading](docs/a.md#three)',
    '[outside](../a.md) [absolute](/docs/a.md)',
    '`[code](docs/c.md)`',
    '```\n[code](docs/c.md)\n```',
    '[named]: docs/d.md',
  ].join('\n')

  const faults = linksIn('README.md', text).flatMap((link) => {
    const fault = findFault(root, link)
    return fault === undefined ? [] : [`${link.line} ${link.target} ${fault}`]
  })

  assert.deepEqual(faults, [
    '2 docs/b.md does not exist',
    '2 docs/b.png does not exist',
    '3 docs/a.md#three has no such heading',
    '4 ../a.md leaves the project',
    '4 /docs/a.md is absolute: write it relative to its document',
    '9 docs/d.md does not exist',
  ])
  assert.deepEqual(
    [...anchorsOf('# One two\n## `code` & more\n## One two\n')],
    ['one-two', 'code--more', 'one-two-1'],
  )
})
