import { type QuietHours, quietEndMs } from './quiet-hours.ts'
import { isAtLeast, type Severity } from './severity.ts'

export interface AlertState {
  readonly severity: Severity
  readonly openedMs: number
  /** Null while it is open. */
  readonly closedMs: number | null
}

/** The last mail about an alert to a recipient. */
export interface LastMail {
  readonly atMs: number
  readonly severity: Severity
}

/** The settings of a recipient. */
export interface MailRules {
  readonly minimumSeverity: Severity
  readonly quietHours: readonly QuietHours[]
  readonly timeZone: string
  /** Null for no reminders. */
  readonly reminderMs: number | null
}

export type MailKind = 'opened' | 'raised' | 'reminder' | 'closed'

export type NextMail =
  | { readonly kind: MailKind; readonly dueMs: number }
  /** Nothing until the alert changes. */
  | { readonly kind: 'wait' }
  /** No further mail. */
  | { readonly kind: 'none' }

/**
 * The next mail about an alert, and when it is due.
 *
 * A mail in quiet hours waits for their end. An alert that closed before its first mail needs none; one that
 * was mailed is also reported as closed. A higher severity is reported at once, by the quiet hours of that
 * severity.
 */
export function nextMail(
  alert: AlertState,
  last: LastMail | undefined,
  rules: MailRules,
  nowMs: number,
): NextMail {
  const { severity, openedMs, closedMs } = alert
  const due = (kind: MailKind, atMs: number): NextMail => ({
    kind,
    dueMs: quietEndMs(rules.quietHours, rules.timeZone, severity, Math.max(atMs, nowMs)),
  })
  const isWanted = isAtLeast(severity, rules.minimumSeverity)
  if (last === undefined) return closedMs === null && isWanted ? due('opened', openedMs) : { kind: 'none' }
  if (closedMs !== null) return due('closed', closedMs)
  if (!isWanted) return { kind: 'wait' }
  if (!isAtLeast(last.severity, severity)) return due('raised', nowMs)
  return rules.reminderMs === null ? { kind: 'wait' } : due('reminder', last.atMs + rules.reminderMs)
}
