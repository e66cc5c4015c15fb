import type { EventCursor } from './store.ts'

/** A cursor as the id of an event. Followers send it back and read nothing out of it. */
export const printCursor = ({ epoch, horizon, number }: EventCursor): string =>
  Buffer.from(`${epoch}.${horizon}.${number}`).toString('base64url')

/** Undefined where the text is no cursor. */
export function parseCursor(text: string): EventCursor | undefined {
  const parts = /^(\d{1,15})\.(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1'))
  if (parts === null) return undefined
  const cursor = { epoch: Number(parts[1]), horizon: Number(parts[2]), number: Number(parts[3]) }
  // Base64 has several spellings of the same bytes, and a cursor has one.
  return printCursor(cursor) === text ? cursor : undefined
}

/** Whether an event lies behind a cursor of the same epoch; of another epoch nothing is known, and it may. */
export function isBehind(event: EventCursor, cursor: EventCursor): boolean {
  if (event.epoch !== cursor.epoch || event.horizon > cursor.horizon) return true
  return event.horizon === cursor.horizon && event.number > cursor.number
}
