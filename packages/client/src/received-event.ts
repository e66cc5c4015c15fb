import type { Event, Operations, QueryInput } from '@continuity/contract'
import type { ServerEvent } from './event-parser.ts'

type Query = QueryInput<Operations['streamEvents']>

/** Which events, and from where on. */
export type EventQuery = { readonly [K in keyof Query]: Query[K] | undefined }

/** An event, typed by its kind. */
export type ReceivedEvent = Event & {
  /** Give it as `lastEventId` to go on after this event. */
  readonly cursor: string
}

export async function* parseEvents(
  stream: AsyncIterable<ServerEvent>,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the kind of a later release is met by no case of the caller.
  for await (const { id, data } of stream) yield { ...(JSON.parse(data) as Event), cursor: id }
}
