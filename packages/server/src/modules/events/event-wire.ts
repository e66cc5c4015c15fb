import { type EventData, type EventKind, type EventSubject, eventKinds } from '@continuity/contract'

export type { EventKind }

/** A change of state as followers receive it. It leaves the platform, so it must not contain secrets. */
export type EventRecord = {
  readonly [K in EventKind]: {
    readonly kind: K
    readonly subjectId: string
    readonly data: EventData<K>
  }
}[EventKind]

/** As spelled in the API, such as `linear_channel`. */
export const subjectTypeOf = (kind: EventKind): EventSubject => eventKinds[kind].subject
