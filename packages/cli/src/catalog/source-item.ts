import type { ImportItem } from '@continuity/client'

/** An item of a file. */
export interface SourceItem extends ImportItem {
  /** The position as text, such as `line 12`. */
  readonly where: string
  /** Bytes of the file that were read up to here. */
  readonly bytesRead: number
  /** Parts that were ignored because they have no field; equal texts are counted together. */
  readonly leftOut?: readonly string[]
}
