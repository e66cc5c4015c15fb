export type { BrandEntry, CatalogEntry, SeriesEntry, VideoDraft, VideoEntry } from './catalog-entry.ts'
export { createClient } from './create-client.ts'
export { etagOf } from './etag.ts'
export type { ServerEvent } from './event-parser.ts'
export type { EventOptions } from './event-stream.ts'
export { type ExportOptions, exportCatalog } from './export-catalog.ts'
export { type ImportItem, type ImportOptions, type ImportResult, importCatalog } from './import-catalog.ts'
export type { Call, CallOptions, Client, HitOf, InputOf, MethodOf, Paged } from './method-types.ts'
export { isProblem, type KnownCode, ProblemError } from './problem-error.ts'
export type { EventQuery, ReceivedEvent } from './received-event.ts'
export type { ReportId, ReportOptions } from './report.ts'
export type { Session, SessionAnswer } from './session-keeper.ts'
export type { ClientOptions, Fetch, RetrySettings, SendRefresh } from './settings.ts'
export { UnreachableError } from './unreachable-error.ts'
export type { Sleep } from './waiting.ts'
export {
  endOfRequest,
  type ProgramDraft,
  type RequestEnd,
  type RequestItem,
  type RequestStatus,
  type WatchOptions,
  watchRequest,
} from './watch-request.ts'
