import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tableStores } from './schema-lists.ts'
import { readSourceFiles } from './source-files.ts'
import { findTableNames } from './table-names.ts'

const tables = Object.keys(tableStores)

test('a table is named by its store, and by nothing else', () => {
  const files = readSourceFiles().filter(({ path }) => path.startsWith('packages/server/'))

  const found = Object.fromEntries(
    tables.map((table) => [
      table,
      files.filter((file) => findTableNames(file.text, [table]).length > 0).map(({ path }) => path),
    ]),
  )

  assert.deepEqual(found, tableStores)
})

test('a table is found in every kind of statement', () => {
  const statements = [
    "on(db).selectFrom('brands')",
    "on(db).selectFrom('brands as b')",
    "on(db).selectFrom(['users', 'brands'])",
    "tx.insertInto('brands')",
    "tx.updateTable('brands')",
    "tx.deleteFrom('brands')",
    "query.innerJoin('brands', 'a', 'b')",
    "query.leftJoinLateral('brands as b', 'a', 'b')",
    "update.from('brands')",
    'const on = tables<{ brands: BrandRow }>()',
    'const on = tables<{ users: UserRow; brands: BrandRow }>()',
    'sql`select name from brands where true`',
    'sql`SELECT name FROM public.brands`',
    'sql`select name from only brands`',
    'sql`select name from users join brands using (name)`',
    'sql`insert into "brands" (name) values (1)`',
    'sql`update brands set name = 1`',
    'sql`delete from users using brands`',
    'sql`with a as (delete from\n  brands) select`',
    "client.query('truncate brands')",
  ]
  for (const statement of statements) {
    assert.ok(findTableNames(statement, tables).includes('brands'), statement)
  }
})

test('what is only like a table’s name is not taken for it', () => {
  for (const text of [
    '// taken from brands of long ago',
    '/* update brands */',
    "import { brands } from './brands.ts'",
    "on(db).selectFrom('brands_of_old')",
    'sql`select brands from videos`',
  ]) {
    assert.deepEqual(findTableNames(text, ['brands']), [], text)
  }
})
