export interface AuditRecord {
  /** Such as `channel.override`. */
  readonly action: string
  /** As spelled in the API, such as `linear_channel`. */
  readonly subjectType: string
  readonly subjectId: string
  /** The record as the API shows it, so without secrets; null for a create. */
  readonly before: unknown
  /** The same after the change; null for a delete. */
  readonly after: unknown
}
