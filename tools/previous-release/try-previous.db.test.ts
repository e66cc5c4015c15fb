import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import pg from 'pg'
import { anEmptyDatabase } from '../../packages/server/src/platform/testing/a-database.ts'
import { projectRoot } from '../architecture/source-files.ts'
import { findPrevious, findRelease, MIGRATIONS } from './find-previous.ts'
import { tryPrevious } from './try-previous.ts'

const TABLE = { '0001-things.sql': 'create table things (id integer, name text);' }
const DROPPED = 'alter table things drop column name;'

test('a migration that takes away what the previous release uses is found', async (t) => {
  const repository = await aRepository(t)
  await repository.commit(TABLE)
  await repository.commit({ '0002-drop.sql': DROPPED })

  const result = await repository.try()

  assert.ok(result.kind === 'tried')
  assert.deepEqual(result.failures, [{ file: THINGS_TEST, name: 'things are kept' }])
  assert.match(result.output, /column "name" of relation "things" does not exist/)
})

test('one that only adds something passes', async (t) => {
  const repository = await aRepository(t)
  await repository.commit(TABLE)
  await repository.commit({ '0002-add.sql': 'alter table things add column size integer;' })

  const result = await repository.try()

  assert.ok(result.kind === 'tried')
  assert.deepEqual(result.failures, [])
  assert.deepEqual(result.files, [THINGS_TEST])
})

test('a test that fails on its own schema as well is not held against the new one', async (t) => {
  const repository = await aRepository(t, { ownTable: 'others' })
  await repository.commit(TABLE)
  await repository.commit({ '0002-drop.sql': DROPPED })

  const result = await repository.try()

  assert.ok(result.kind === 'tried')
  assert.deepEqual(result.failures, [])
  assert.deepEqual(result.alwaysFailing, [{ file: THINGS_TEST, name: 'things are kept' }])
})

test('a failure that does not happen again is not held against the schema', async (t) => {
  const repository = await aRepository(t, { testText: failsOnce })
  await repository.commit(TABLE)
  await repository.commit({ '0002-add.sql': 'alter table things add column size integer;' })

  const result = await repository.try()

  assert.ok(result.kind === 'tried')
  assert.match(result.output, /only the first time/)
  assert.deepEqual([result.failures, result.alwaysFailing], [[], []])
})

test('only tests that use what a migration changes are run', async (t) => {
  const repository = await aRepository(t)
  await repository.commit({ ...TABLE, '0002-others.sql': 'create table others (id integer);' })
  await repository.commit({ '0003-drop.sql': 'alter table others drop column id;' })
  const unused = await repository.try()
  await repository.commit({ '0004-new.sql': 'create table news (id integer);' })
  const added = await repository.try()

  assert.ok(unused.kind === 'not tried' && added.kind === 'not tried')
  assert.match(unused.why, /has no test that uses others/)
  assert.match(added.why, /0004-new\.sql: nothing that .+ knows is changed/)
})

test('of many tests in a folder those run that together name what was changed, and then the shortest', async (t) => {
  const repository = await aRepository(t)
  await repository.commit({ ...TABLE, '0002-others.sql': 'create table others (id integer);' })
  for (const [name, text] of Object.entries({
    long: `${thingsTest}// ${'long '.repeat(20)}`,
    longer: `${thingsTest}// ${'long '.repeat(40)}`,
    others: `${thingsTest}// ${'long '.repeat(60)}\n// others`,
  }))
    await repository.add(`packages/server/src/${name}.db.test.ts`, text)
  await repository.commit({})
  await repository.commit({
    '0003-add.sql': 'alter table things add column size integer; alter table others add column size integer;',
  })

  const [nearest, every] = [await repository.try(), await repository.try({ isEvery: true })]

  assert.ok(nearest.kind === 'tried' && every.kind === 'tried')
  const names = ({ files }: { readonly files: readonly string[] }) =>
    files.map((file) => basename(file, '.db.test.ts')).toSorted()
  assert.deepEqual(names(nearest), ['long', 'others', 'things'])
  assert.deepEqual(names(every), ['long', 'longer', 'others', 'things'])
})

test('a migration that is marked as breaking is not tried, and its reason is reported', async (t) => {
  const repository = await aRepository(t)
  await repository.commit(TABLE)
  await repository.commit({ '0002-drop.sql': `-- breaking: things lose their names\n${DROPPED}` })

  const result = await repository.try()

  assert.ok(result.kind === 'not tried')
  assert.match(result.why, /cannot live with 0002-drop\.sql: things lose their names/)
})

test('without tags the commit before the newest migration counts, and a migration not yet committed is the newest', async (t) => {
  const repository = await aRepository(t)
  await repository.commit(TABLE)
  const second = await repository.commit({ '0002-b.sql': 'select 2' })
  await repository.commit({ '0003-c.sql': 'select 3' })
  const last = await repository.commit({})

  const committed = await findPrevious(repository.root)
  await repository.write({ '0004-d.sql': 'select 4' })
  const written = await findPrevious(repository.root)

  assert.ok(committed.kind === 'found' && written.kind === 'found')
  assert.deepEqual([committed.commit, committed.added], [second, ['0003-c.sql']])
  assert.deepEqual([written.commit, written.added], [last, ['0004-d.sql']])
})

test('with tags the newest one counts that lacks a migration, also at a commit that has a tag itself', async (t) => {
  const repository = await aRepository(t)
  const first = await repository.commit(TABLE)
  repository.git('tag', 'v1')
  await repository.commit({ '0002-b.sql': 'select 2' })
  await repository.commit({ '0003-c.sql': 'select 3' })
  repository.git('tag', 'v2')

  const previous = await findPrevious(repository.root)

  assert.ok(previous.kind === 'found')
  assert.deepEqual(
    [previous.name, previous.commit, previous.added],
    ['v1', first, ['0002-b.sql', '0003-c.sql']],
  )
})

test('a release is found by its commit, with the migrations that it lacks', async (t) => {
  const repository = await aRepository(t)
  const first = await repository.commit(TABLE)
  await repository.commit({ '0002-b.sql': 'select 2' })
  await repository.write({ '0003-c.sql': 'select 3' })

  const release = await findRelease(repository.root, first)
  const unknown = await findRelease(repository.root, '0123456789abcdef0123456789abcdef01234567')

  assert.ok(release.kind === 'found' && unknown.kind === 'none')
  assert.deepEqual([release.commit, release.added], [first, ['0002-b.sql', '0003-c.sql']])
  assert.match(unknown.why, /not in the history/)
})

test('where there is nothing to compare with, it reports why', async (t) => {
  const repository = await aRepository(t)
  const whyAt = async (root: string) => {
    const previous = await findPrevious(root)
    return previous.kind === 'none' ? previous.why : 'found'
  }
  const empty = await whyAt(repository.root)
  await repository.commit({})
  await repository.write(TABLE)
  const first = await whyAt(repository.root)
  await repository.commit({})
  await repository.commit({ '0002-b.sql': 'select 2' })
  const shallow = join(repository.root, 'shallow')
  repository.git('clone', '-q', '--depth=1', pathToFileURL(repository.root).href, shallow)

  assert.equal(empty, 'nothing is committed yet')
  assert.equal(first, 'no release before this one has a schema')
  assert.match(await whyAt(shallow), /only a part of the history/)
  const ofShallow = await findRelease(repository.root, 'HEAD^', shallow)
  assert.ok(ofShallow.kind === 'none')
  assert.match(ofShallow.why, /only a part of the history/)
})

/** A project of a few lines, whose one test keeps things with a name. */
async function aRepository(t: TestContext, { ownTable = 'things', testText = thingsTest } = {}) {
  const root = await mkdtemp(join(tmpdir(), 'continuity-repository-'))
  t.after(() => rm(root, { recursive: true, force: true }))
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Test', '-c', 'user.email=test@example', ...args], {
      cwd: root,
      encoding: 'utf8',
    }).trim()
  const write = async (migrations: Readonly<Record<string, string>>) => {
    for (const [name, text] of Object.entries(migrations))
      await writeInto(root, `${MIGRATIONS}/${name}`, text)
  }
  git('init', '-q')
  await mkdir(join(root, MIGRATIONS), { recursive: true })
  await writeInto(root, 'package.json', '{ "type": "module" }')
  await writeInto(root, THINGS_TEST, testText)
  await writeInto(
    root,
    'packages/server/src/things-store.ts',
    `export const list = 'select name from things'`,
  )
  const homeUrl = await anEmptyDatabase()
  await asOwner(homeUrl, `create table ${ownTable} (id integer, name text)`)
  await writeInto(root, 'tools/run-tests.ts', runsOn(homeUrl))
  const written: string[] = []
  return {
    root,
    git,
    write,
    async commit(migrations: Readonly<Record<string, string>>) {
      await write(migrations)
      written.push(...Object.values(migrations))
      git('add', '.')
      git('commit', '-q', '--allow-empty', '-m', 'next')
      return git('rev-parse', 'HEAD')
    },
    add: (path: string, text: string) => writeInto(root, path, text),
    async try({ isEvery = false } = {}) {
      const url = await anEmptyDatabase()
      await asOwner(url, written.join('\n'))
      const template = { templateUrl: url, serviceUrl: url }
      return tryPrevious({ root, dependenciesOf: projectRoot, template, isEvery })
    },
  }
}

const THINGS_TEST = 'packages/server/src/things.db.test.ts'

const thingsTest = `
import { test } from 'node:test'
import pg from 'pg'

test('things are kept', async () => {
  const client = new pg.Client({ connectionString: process.env.TEST_TEMPLATE_URL })
  await client.connect()
  try {
    await client.query("insert into things (id, name) values (1, 'one')")
  } finally {
    await client.end()
  }
})
`

/** Fails when it runs for the first time; names the table, so that it is selected. */
const failsOnce = `
import { existsSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'

test('things are kept', () => {
  const isFirst = !existsSync('ran')
  writeFileSync('ran', '')
  if (isFirst) throw new Error('only the first time')
})
`

/** As `npm test` does it in that project, with a database that has its own schema. */
const runsOn = (url: string) => `
import { spawnSync } from 'node:child_process'

const env = { ...process.env, TEST_TEMPLATE_URL: '${url}' }
const args = ['--test', '--test-reporter=spec', ...process.argv.slice(2)]
process.exitCode = spawnSync(process.execPath, args, { env, stdio: 'inherit' }).status ?? 1
`

async function writeInto(root: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(root, path)), { recursive: true })
  await writeFile(join(root, path), text)
}

async function asOwner(url: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  await client.query(statements)
  await client.end()
}
