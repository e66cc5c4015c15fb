/** Which entries of an account are listed; what is left out lets everything pass. */
export interface AuditFilter {
  readonly fromMs?: number | undefined
  /** Not included. */
  readonly toMs?: number | undefined
  readonly userId?: string | undefined
  readonly subjectId?: string | undefined
}
