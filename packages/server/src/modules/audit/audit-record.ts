export interface AuditRecord {
  /** In two words, such as `channel.override`. */
  readonly action: string
  /** In the words of the wire, such as `linear_channel`. */
  readonly subjectType: string
  readonly subjectId: string
  /** As the wire shows it, so never with a secret; null where there was nothing. */
  readonly before: unknown
  /** The same after it; null where nothing is left. */
  readonly after: unknown
}
