import type { Event } from '../events/read.ts'

/** The kind of test deliveries, which have no event. */
export const TEST_KIND = 'webhook.test'

/** The request body of an event: the payload of Standard Webhooks, plus its subject. */
export const bodyOf = (event: Omit<Event, 'eventId' | 'cursor'>): string =>
  JSON.stringify({
    type: event.kind,
    timestamp: new Date(event.atMs).toISOString(),
    subject_type: event.subjectType,
    subject_id: event.subjectId,
    data: event.data,
  })
