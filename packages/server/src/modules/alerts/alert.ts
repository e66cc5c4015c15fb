export type AlertSeverity = 'INFO' | 'WARNING' | 'CRITICAL'

/** What an alert is about. There is one open alert for each at most. */
export interface AlertSubject {
  /** Why, in two words, such as `schedule.ends_soon`. */
  readonly code: string
  /** In the words of the wire, such as `linear_channel`. */
  readonly subjectType: string
  readonly subjectId: string
}

export interface AlertRecord extends AlertSubject {
  readonly severity: AlertSeverity
  /** A sentence for the person who looks at it. */
  readonly message: string
}

/** Which alerts of an account are listed. */
export interface AlertFilter {
  readonly state: 'OPEN' | 'CLOSED' | 'ALL'
  readonly severity?: AlertSeverity | undefined
}
