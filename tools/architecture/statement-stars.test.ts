import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { readSourceFiles } from './source-files.ts'
import { findStars } from './statement-stars.ts'

test('every statement and every function of the schema lists its columns', () => {
  const schema = 'packages/server/schema.sql'
  const text = readFileSync(join(projectRoot, schema), 'utf8')
  const files = [...readSourceFiles(), { path: schema, text }]

  assert.ok(files.length > 100)
  assert.deepEqual(files.flatMap(findStars), [])
})

const found = (text: string) => findStars({ path: 'a.ts', text }).length

test('a star is found however it is written', () => {
  const stars = [
    'sql`select * from videos`',
    'sql`SELECT DISTINCT * from videos`',
    'sql`select *, count(*) from videos`',
    'sql`insert into videos values (1) returning *`',
    'sql`select\n  * from videos`',
    'sql`select v.* from videos v`',
    'sql`select v.video_id, b.* from videos v join brands b using (brand_id)`',
    "on(db).selectFrom('videos').selectAll()",
    "on(db).selectFrom('videos').selectAll('videos')",
    "on(db).insertInto('videos').values(row).returningAll()",
    'CREATE FUNCTION public.all_videos() RETURNS SETOF public.videos',
  ]

  for (const star of stars) assert.equal(found(star), 1, star)
})

test('a count, a comment and all columns of a subquery are none', () => {
  const others = [
    'sql`select count(*) from videos`',
    '// Not `select *`: its columns change.',
    '-- select * from videos',
    'sql`with listed as (select title from videos) select listed.* from listed`',
    'sql`select shown.* from playlists cross join lateral (select title from videos) as shown`',
  ]

  for (const other of others) assert.equal(found(other), 0, other)
})
