export type { AuditRecord } from './audit-record.ts'
export { recordAudit } from './record-audit.ts'
