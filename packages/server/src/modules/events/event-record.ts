export interface EventRecord {
  /** In two words, such as `channel.started`. */
  readonly kind: string
  /** In the words of the wire, such as `linear_channel`. */
  readonly subjectType: string
  readonly subjectId: string
  /** What a follower is told of it. It leaves the platform, so nothing in it is secret. */
  readonly data: Readonly<Record<string, unknown>>
}
