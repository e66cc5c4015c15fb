import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { projectRoot } from '@continuity/dev/project-root'
import { aReleasedDatabase } from '../../packages/server/src/platform/testing/a-database.ts'
import { dumpSchema, SCHEMA_FILE, steady } from './schema-dump.ts'

test('the schema that is committed is the one that the migrations make', async (t) => {
  const { ownerUrl } = await aReleasedDatabase({ after: (work) => t.after(work) })
  const committed = readFileSync(join(projectRoot, SCHEMA_FILE), 'utf8').split('\n')

  const made = (await dumpSchema(ownerUrl)).split('\n')

  // Line by line: a whole schema in a message is unreadable.
  const place = made.findIndex((line, index) => line !== committed[index])
  assert.equal(committed[place], made[place], `line ${place + 1} of ${SCHEMA_FILE}: run npm run dump-schema`)
  assert.equal(committed.length, made.length, `${SCHEMA_FILE} is too long: run npm run dump-schema`)
})

test('what differs from one server to the next is not in the dump', () => {
  const table = 'CREATE TABLE public.a (\n    id uuid NOT NULL\n);'
  const dump = [
    '--',
    '-- Dumped from database version 15.4',
    '\\restrict 3v8Q',
    "SET client_encoding = 'UTF8';",
    "SELECT pg_catalog.set_config('search_path', '', false);",
    'CREATE SCHEMA public;',
    "COMMENT ON SCHEMA public IS 'standard public schema';",
    '',
    '',
    table,
    '',
    '\\unrestrict 3v8Q',
    '',
  ]

  assert.equal(steady(dump.join('\n')), `${table}\n`)
})
