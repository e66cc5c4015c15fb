import { Type } from 'typebox'
import { countedPageOf } from './page.ts'
import { timestamp } from './scalars.ts'
import { named, nullable, oneOf, shape } from './shape.ts'

export const alertSeverities = ['INFO', 'WARNING', 'CRITICAL'] as const

const AuditEntry = named(
  'AuditEntry',
  shape({
    audit_id: Type.String(),
    at: timestamp('When.'),
    user_id: nullable(Type.String({ description: 'Who; null for the platform itself.' })),
    action: Type.String({ description: 'What, such as `channel.override`.' }),
    subject_type: Type.String(),
    subject_id: Type.String(),
    before: Type.Unknown(),
    after: Type.Unknown(),
    request_id: nullable(Type.String()),
  }),
)
export const AuditPage = countedPageOf('AuditPage', AuditEntry)

const Alert = named(
  'Alert',
  shape({
    alert_id: Type.String(),
    severity: oneOf(alertSeverities),
    code: Type.String({ description: 'Why, such as `schedule.ending`.' }),
    message: Type.String(),
    subject_type: Type.String(),
    subject_id: Type.String(),
    opened_at: timestamp('When it began.'),
    closed_at: nullable(timestamp('When it ended; null while it is open.')),
  }),
)
export const AlertPage = countedPageOf('AlertPage', Alert)
