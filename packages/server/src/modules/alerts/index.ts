export type { AlertRecord, AlertSeverity, AlertSubject } from './alert.ts'
export { closeAlert } from './close-alert.ts'
export { openAlert } from './open-alert.ts'
export { openAlertCodes } from './store.ts'
