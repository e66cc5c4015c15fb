export { type EventStreams, openEventStreams, type StreamLimits } from './event-streams.ts'
export type { EventKind, EventRecord } from './event-wire.ts'
export { forgetEvents } from './forget-events.ts'
export { eventStatement, recordEvent } from './record-event.ts'
