export type { EventRecord } from './event-record.ts'
export { forgetEvents } from './forget-events.ts'
export { recordEvent } from './record-event.ts'
