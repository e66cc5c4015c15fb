import type { Event } from '../events/read.ts'

/** Of deliveries that no event stands behind. */
export const TEST_KIND = 'webhook.test'

/** What is sent of an event: the form of Standard Webhooks, and whose event it is. */
export const bodyOf = (event: Omit<Event, 'eventId' | 'cursor'>): string =>
  JSON.stringify({
    type: event.kind,
    timestamp: new Date(event.atMs).toISOString(),
    subject_type: event.subjectType,
    subject_id: event.subjectId,
    data: event.data,
  })
