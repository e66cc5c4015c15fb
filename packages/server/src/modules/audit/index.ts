export type { AuditRecord } from './audit-record.ts'
export { auditStatement, recordAudit } from './record-audit.ts'
export { anyOf, shown, verbOf, type Write } from './write.ts'
