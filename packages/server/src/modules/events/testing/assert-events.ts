import assert from 'node:assert/strict'
import { Event, type EventKind } from '@continuity/contract'
import { sql } from 'kysely'
import { compileCheck } from '../../../http/schema-validator.ts'
import type { Db } from '../../../platform/database/database.ts'
import type { EventRow } from '../store.ts'
import { toWireEvent } from '../wire.ts'

const check = compileCheck(Event)

/** Asserts that all events of an account match the contract and that all of these kinds occur. */
export async function assertEvents(db: Db, kinds: readonly EventKind[]): Promise<void> {
  const { rows } = await sql<EventRow>`
    select event_id, at_ms, kind, subject_type, subject_id, data from events`.execute(db)
  for (const row of rows) assert.deepEqual(check(toWireEvent(row)), [], JSON.stringify(row))
  const seen = new Set<string>(rows.map(({ kind }) => kind))
  const missing = kinds.filter((kind) => !seen.has(kind))
  assert.deepEqual(missing, [], [...seen].join())
}
