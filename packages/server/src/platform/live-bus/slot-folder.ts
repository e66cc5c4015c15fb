import { createHmac, randomBytes } from 'node:crypto'

/** Of one epoch of an input. */
export const newSlotKey = (): string => randomBytes(16).toString('base64url')

const HOUR_MS = 3_600_000

/** The hour of a time, by which segments are deleted. */
export const hourOf = (ms: number): number => Math.floor(ms / HOUR_MS)

/** Of all segments of a source. */
export const sourceFolder = (accountId: string, sourceId: string): string => `live/${accountId}/${sourceId}`

/** All segments of a source whose slots begin in an hour. */
export const hourFolder = (folder: string, hour: number): string => `${folder}/${hour}`

/**
 * Where the segments of a slot lie. A viewer who has seen some slots of a source cannot find the others, such as those that
 * it brought after a channel had returned to its schedule.
 */
export function slotFolder(folder: string, key: string, slot: number, slotMs: number): string {
  const name = createHmac('sha256', key).update(`${slot}`).digest('base64url').slice(0, 22)
  return `${hourFolder(folder, hourOf(slot * slotMs))}/${name}`
}
