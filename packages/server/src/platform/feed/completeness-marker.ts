import { FIRST_EPOCH } from '@continuity/core/feed/feed-message'

/** States that a stream holds a snapshot of every channel in an epoch. */
export interface CompletenessMarker {
  /** When the stream was created: a recreated one has the same name. */
  readonly created: string
  readonly epoch: number
}

/** The first epoch is omitted: workers of the previous release write and compare the creation time only. */
export const printMarker = ({ created, epoch }: CompletenessMarker): string =>
  epoch === FIRST_EPOCH ? created : `${created} ${epoch}`

export function readMarker(text: string): CompletenessMarker {
  const [created = '', epoch] = text.split(' ')
  return { created, epoch: epoch === undefined ? FIRST_EPOCH : Number(epoch) }
}
