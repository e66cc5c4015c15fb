import type { Event, Operations, QueryInput } from '@continuity/contract'
import type { ServerEvent } from './event-parser.ts'

type Query = QueryInput<Operations['streamEvents']>

/** Which events, and where to begin. */
export type EventQuery = { readonly [K in keyof Query]: Query[K] | undefined }

/** An event, typed by its kind. */
export type ReceivedEvent = Event & {
  /** Pass it as `lastEventId` to continue after this event. */
  readonly cursor: string
}

export async function* parseEvents(
  stream: AsyncIterable<ServerEvent>,
): AsyncGenerator<ReceivedEvent, void, undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a kind of a later release matches no case of the caller.
  for await (const { id, data } of stream) yield { ...(JSON.parse(data) as Event), cursor: id }
}
