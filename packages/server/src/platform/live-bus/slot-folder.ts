import { createHmac, randomBytes } from 'node:crypto'

/** The key of one epoch of an input. */
export const newSlotKey = (): string => randomBytes(16).toString('base64url')

const HOUR_MS = 3_600_000

/** The hour of a time; segments are deleted by hour. */
export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS)

/** The prefix of all segments of a source. */
export const sourceFolder = (accountId: string, sourceId: string): string => `live/${accountId}/${sourceId}`

/** The prefix of the segments of a source whose slots begin in an hour. */
export const hourFolder = (folder: string, hour: number): string => `${folder}/${hour}`

/**
 * The prefix of a slot's segments. A viewer who has seen some slots of a source cannot guess the others, such as those
 * received after a channel returned to its schedule.
 */
export function slotFolder(folder: string, key: string, slot: number, slotMs: number): string {
  const name = createHmac('sha256', key).update(`${slot}`).digest('base64url').slice(0, 22)
  return `${hourFolder(folder, hourOf(slot * slotMs))}/${name}`
}
