export { type EventStreams, openEventStreams, type StreamLimits } from './event-streams.ts'
export type { EventKind, EventRecord } from './event-wire.ts'
export { purgeEvents } from './purge-events.ts'
export { eventStatement, recordEvent } from './record-event.ts'
