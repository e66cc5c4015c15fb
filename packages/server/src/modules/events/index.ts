export type { EventKind, EventRecord } from './event-wire.ts'
export { forgetEvents } from './forget-events.ts'
export { recordEvent } from './record-event.ts'
