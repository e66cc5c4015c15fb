import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findTouched } from './touched-names.ts'

test('what a migration changes is found in every kind of statement', () => {
  const statements: readonly (readonly [string, string])[] = [
    ['alter table things add column size integer;', 'things'],
    ['ALTER TABLE ONLY things drop column name;', 'things'],
    ['drop table if exists things;', 'things'],
    ['create unique index things_by_name on things (name);', 'things'],
    ['create policy account on things to service using (true);', 'things'],
    ['create trigger noted after insert on things for each row execute function note();', 'things'],
    ['drop trigger noted on things;', 'things'],
    ['revoke update on things from service;', 'things'],
    ['grant execute on function count_things to service;', 'count_things'],
    ['create or replace function count_things() returns integer language sql;', 'count_things'],
    ["update things set name = '';", 'things'],
    ['delete from public.things;', 'things'],
    ['insert into things values (1);', 'things'],
  ]
  for (const [statement, name] of statements) assert.ok(findTouched([statement]).includes(name), statement)
})

test('what is new touches nothing, nor do comments', () => {
  const created = 'create table things (id integer references others);\ncreate index on things (id);'
  const procedure =
    'create function note() returns void language sql;\ngrant execute on function note to service;'
  const rights = 'grant select, insert, update, delete on things to service;'
  assert.deepEqual(findTouched([created, procedure, rights, '-- alter table others\n']), [])
})

test('a table that one migration makes and the next one changes is new', () => {
  assert.deepEqual(findTouched(['create table things ();', 'alter table things add column id integer;']), [])
})
