export { bundle, type JsonSchema } from './bundle.ts'
export { authHeader, deviceHeaders, documentedHeaders } from './definition/credential-headers.ts'
export * from './definition/endpoint.ts'
export { errorsOf } from './definition/error-responses.ts'
export {
  type OpenApiDocument,
  type OpenApiOperation,
  type OpenApiParameter,
  openApiDocument,
} from './openapi.ts'
export { type OperationId, type Operations, operationList, operations } from './operations.ts'
export { KEYWORD_LENGTH, KEYWORDS_MAXIMUM } from './schemas/catalog.ts'
export { bulkItemCodes } from './schemas/channel.ts'
export {
  Event,
  type EventData,
  type EventKind,
  type EventOfKind,
  type EventSubject,
  eventKinds,
} from './schemas/event.ts'
export { PLAN_WARNINGS_MAXIMUM, PREVIEW_AHEAD_DAYS, PREVIEW_DAYS } from './schemas/plan.ts'
export { FieldFault, Problem } from './schemas/problem.ts'
