import type { Event } from '@continuity/contract'
import type { EventRow } from './store.ts'

/** An event as it is sent. What it carries was checked by its kind when it was recorded. */
export const toWireEvent = (row: Omit<EventRow, 'number' | 'horizon'>): Event =>
  ({
    event_id: row.event_id,
    kind: row.kind,
    at: new Date(row.at_ms).toISOString(),
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    data: row.data,
  }) as Event
