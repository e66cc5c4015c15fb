export type { NamedRecords } from './named-records.ts'
export { isAdSlate } from './store.ts'
