/** An absent field does not filter. */
export interface AuditFilter {
  readonly fromMs?: number | undefined
  /** Exclusive. */
  readonly toMs?: number | undefined
  readonly userId?: string | undefined
  readonly subjectId?: string | undefined
}
