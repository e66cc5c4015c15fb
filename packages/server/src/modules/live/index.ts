export { listBreaks, saveBreaks } from './log-store.ts'
export type { NamedRecords } from './named-records.ts'
export { lockActiveSource, requireActiveSource, requireSource } from './require-source.ts'
export { findSource, isAdSlate, type LiveSource } from './store.ts'
