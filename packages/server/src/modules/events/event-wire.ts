import { type EventData, type EventKind, type EventSubject, eventKinds } from '@continuity/contract'

export type { EventKind }

/** A change of state, as a follower is sent it. It leaves the platform, so nothing in it is secret. */
export type EventRecord = {
  readonly [K in EventKind]: {
    readonly kind: K
    readonly subjectId: string
    readonly data: EventData<K>
  }
}[EventKind]

/** In the words of the wire, such as `linear_channel`. */
export const subjectTypeOf = (kind: EventKind): EventSubject => eventKinds[kind].subject
