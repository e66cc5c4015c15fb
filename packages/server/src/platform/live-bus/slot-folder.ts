import { createHmac, randomBytes } from 'node:crypto'

/** Of one epoch of an input. */
export const newSlotKey = (): string => randomBytes(16).toString('base64url')

/**
 * Where the segments of a slot lie. A viewer who has seen some slots of a source cannot find the others, such as those that
 * it brought after a channel had returned to its schedule.
 */
export function slotFolder(folder: string, key: string, slot: number): string {
  const name = createHmac('sha256', key).update(`${slot}`).digest('base64url').slice(0, 22)
  return `${folder}/${name}`
}
