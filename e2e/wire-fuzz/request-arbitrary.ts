import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '@continuity/contract'
import fc from 'fast-check'
import { breakBody, hostileBodies, hostileHeaders, hostilePaths, spoilQuery } from './mutations.ts'
import { type Components, type Schema, valuesOf } from './schema-arbitrary.ts'
import type { WireRequest } from './wire-request.ts'

export type RequestKind = 'valid' | 'near-valid' | 'hostile'

export interface FuzzRequest extends WireRequest {
  readonly kind: RequestKind
  readonly operationId: string
}

export interface FuzzOperation {
  readonly document: OpenApiDocument
  readonly method: string
  readonly path: string
  readonly operation: OpenApiOperation
}

/** Every operation of a document, aliases too. */
export function operationsOf(document: OpenApiDocument): FuzzOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      document,
      method: method.toUpperCase(),
      path,
      operation,
    })),
  )
}

/** Random requests to one operation: a third valid, a third broken in one place, a third made to hurt. */
export function requestsTo(
  it: FuzzOperation,
  credential: Readonly<Record<string, string>>,
): fc.Arbitrary<FuzzRequest> {
  const { operation } = it
  const components = it.document.components.schemas
  const mark = (kind: RequestKind) => (request: WireRequest) => ({
    ...request,
    kind,
    operationId: operation.operationId,
  })
  const valid = validRequests(it, components, credential)
  return fc.oneof(
    valid.map(mark('valid')),
    nearValidRequests(valid, credential).map(mark('near-valid')),
    hostileRequests(valid).map(mark('hostile')),
  )
}

function validRequests(
  { document, method, path, operation }: FuzzOperation,
  components: Components,
  credential: Readonly<Record<string, string>>,
): fc.Arbitrary<WireRequest> {
  const parameters = (place: OpenApiParameter['in']) => {
    const model = operation.parameters
      .filter((parameter) => parameter.in === place)
      .map(({ name, required, schema }) => {
        const values = valuesOf(schema as Schema, components).map(String)
        return [name, required ? values : fc.option(values, { nil: undefined })] as const
      })
    return fc.record(Object.fromEntries(model)) as fc.Arbitrary<Record<string, string | undefined>>
  }
  const content = operation.requestBody?.content['application/json']
  const value = content === undefined ? fc.constant(undefined) : valuesOf(content.schema, components)
  const body = operation.requestBody?.required === false ? fc.option(value, { nil: undefined }) : value
  const contentType = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
  )
  const prefix = String(document.servers[0]?.['url'])

  return fc
    .record({ params: parameters('path'), query: parameters('query'), body, contentType })
    .map((drawn) => ({
      method,
      path: prefix + fillPath(path, drawn.params) + printQuery(drawn.query),
      headers: { ...credential, 'content-type': drawn.contentType },
      body: drawn.body === undefined ? undefined : Buffer.from(JSON.stringify(drawn.body)),
    }))
}

function nearValidRequests(
  valid: fc.Arbitrary<WireRequest>,
  credential: Readonly<Record<string, string>>,
): fc.Arbitrary<WireRequest> {
  return fc.oneof(
    valid.chain((request) => breakBody(request.body).map((body) => ({ ...request, body }))),
    valid.chain((request) => spoilQuery(request.path).map((path) => ({ ...request, path }))),
    valid.map((request) => ({ ...request, body: undefined })),
    valid.map((request) => ({ ...request, headers: credential })),
  )
}

function hostileRequests(valid: fc.Arbitrary<WireRequest>): fc.Arbitrary<WireRequest> {
  return fc.oneof(
    valid.chain((request) => hostileBodies.map((body) => ({ ...request, body }))),
    valid.chain((request) =>
      hostileHeaders.map((headers) => ({ ...request, headers: { ...request.headers, ...headers } })),
    ),
    valid.chain((request) => hostilePaths(request.path).map((path) => ({ ...request, path }))),
    valid.chain((request) =>
      fc
        .constantFrom('GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS')
        .map((method) => ({ ...request, method })),
    ),
  )
}

function fillPath(path: string, params: Readonly<Record<string, string | undefined>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function printQuery(query: Readonly<Record<string, string | undefined>>): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&')}`
}
