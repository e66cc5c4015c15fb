import type { Placed } from '@continuity/client'

/** What was read at one place of a file. */
export interface SourceItem extends Placed {
  /** The place in words, such as `line 12`. */
  readonly where: string
  /** How much of the file was read up to here. */
  readonly bytesRead: number
  /** Things of it that there is no field for, each in the same words wherever it is met. */
  readonly leftOut?: readonly string[]
}
