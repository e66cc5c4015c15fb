import type { EventCursor } from './store.ts'

/** A cursor as the id of an event. It is opaque to clients, which send it back. */
export const printCursor = ({ epoch, horizon, number }: EventCursor): string =>
  Buffer.from(`${epoch}.${horizon}.${number}`).toString('base64url')

/** Undefined if the text is not a cursor. */
export function parseCursor(text: string): EventCursor | undefined {
  const parts = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1'))
  if (parts === null) return undefined
  const cursor = { epoch: Number(parts[1]), horizon: Number(parts[2]), number: Number(parts[3]) }
  // Base64 can encode the same bytes in several ways; only the canonical one is accepted.
  return printCursor(cursor) === text ? cursor : undefined
}

/** Whether an event comes after a cursor. Events of another epoch are not comparable and count as after it. */
export function isBehind(event: EventCursor, cursor: EventCursor): boolean {
  if (event.epoch !== cursor.epoch || event.horizon > cursor.horizon) return true
  return event.horizon === cursor.horizon && event.number > cursor.number
}
