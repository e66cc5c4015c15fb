import type { AlertCode } from '@continuity/core/alerts/advice'

export type AlertSeverity = 'INFO' | 'WARNING' | 'CRITICAL'

/** What an alert is about. Each has at most one open alert. */
export interface AlertSubject {
  /** Of `AlertCode`, or of an earlier version. */
  readonly code: string
  /** As spelled in the API, such as `linear_channel`. */
  readonly subjectType: string
  readonly subjectId: string
}

export interface AlertRecord extends AlertSubject {
  readonly code: AlertCode
  readonly severity: AlertSeverity
  /** A sentence for the operator. */
  readonly message: string
}

export interface AlertFilter {
  readonly state: 'OPEN' | 'CLOSED' | 'ALL'
  readonly severity?: AlertSeverity | undefined
}
