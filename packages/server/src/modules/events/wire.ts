import type { Event as WireEvent } from '@continuity/contract'
import { printCursor } from './cursor-text.ts'
import type { Event } from './read.ts'
import type { EventRow } from './store.ts'

/** An event as it is sent. Its data was checked against its kind when it was recorded. */
export const toWireEvent = (row: Omit<EventRow, 'number' | 'horizon'>): WireEvent =>
  ({
    event_id: row.event_id,
    kind: row.kind,
    at: new Date(row.at_ms).toISOString(),
    subject_type: row.subject_type,
    subject_id: row.subject_id,
    data: row.data,
  }) as WireEvent

/** JSON.stringify emits no line breaks, so the data is one line. */
export function printEvent(event: Event): string {
  const { eventId, atMs, kind, subjectType, subjectId, data, cursor } = event
  const wire = toWireEvent({
    event_id: eventId,
    at_ms: atMs,
    kind,
    subject_type: subjectType,
    subject_id: subjectId,
    data,
  })
  return `id: ${printCursor(cursor)}\nevent: ${kind}\ndata: ${JSON.stringify(wire)}\n\n`
}
