export type { Alert } from './store.ts'
export { listAlerts, listOpenAlertIds } from './store.ts'
