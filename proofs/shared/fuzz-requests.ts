import type { OpenApiDocument, OpenApiOperation, OpenApiParameter } from '@continuity/contract'
import fc from 'fast-check'
import {
  breakBody,
  corruptBody,
  corruptQuery,
  hostileBodies,
  hostileHeaders,
  hostilePaths,
} from './fuzz-mutations.ts'
import {
  type FieldValues,
  type KnownValues,
  type Source,
  valuesNamed,
  valuesOf,
  withExisting,
} from './fuzz-values.ts'
import type { HttpRequest } from './http-request.ts'

export type RequestKind = 'valid' | 'near-valid' | 'hostile'

interface DrawnRequest extends HttpRequest {
  readonly body: Buffer | undefined
  /** The parameters of its path. */
  readonly params: FieldValues
}

export interface FuzzRequest extends DrawnRequest {
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

type Fields = Readonly<Record<string, string | undefined>>

export type Headers = Readonly<Record<string, string>>

/** Inputs of requests besides the documents. */
interface RequestSource {
  /** The headers of the sender. */
  readonly senders: fc.Arbitrary<Headers>
  readonly known: KnownValues
}

interface DrawnRequests {
  /** Half of them have the body of the example: some bodies are hardly ever accepted at random. */
  readonly valid: fc.Arbitrary<FuzzRequest>
  /** A third valid, a third with one fault, a third hostile. */
  readonly mixed: fc.Arbitrary<FuzzRequest>
}

/** Random requests to one operation. */
export function requestsTo(it: FuzzOperation, { senders, known }: RequestSource): DrawnRequests {
  const mark = (kind: RequestKind) => (request: DrawnRequest) => ({
    ...request,
    kind,
    operationId: it.operation.operationId,
  })
  const drawn = validRequests(it, senders, { components: it.document.components.schemas, known })
  const valid = drawn.map(mark('valid'))
  const example = it.operation.requestBody?.content['application/json']?.example
  const withExample = valid.map((request) => ({ ...request, body: Buffer.from(JSON.stringify(example)) }))
  return {
    valid: example === undefined ? valid : fc.oneof(valid, withExample),
    mixed: fc.oneof(
      valid,
      nearValidRequests(drawn).map(mark('near-valid')),
      hostileRequests(drawn).map(mark('hostile')),
    ),
  }
}

function validRequests(
  { document, method, path, operation }: FuzzOperation,
  senders: fc.Arbitrary<Headers>,
  source: Source,
): fc.Arbitrary<DrawnRequest> {
  const parameters = (location: OpenApiParameter['in']) => {
    const model = operation.parameters
      .filter((parameter) => parameter.in === location)
      .map((parameter) => {
        const values = parameterValues(parameter, source).map(String)
        return [parameter.name, parameter.required ? values : everyOther(values)] as const
      })
    return fc.record(Object.fromEntries(model)) as fc.Arbitrary<Fields>
  }
  const pathNames = operation.parameters
    .filter((parameter) => parameter.in === 'path')
    .map(({ name }) => name)
  const content = operation.requestBody?.content['application/json']
  const value = content === undefined ? fc.constant(undefined) : valuesOf(content.schema, source)
  const body = operation.requestBody?.required === false ? everyOther(value) : value
  const contentType = fc.constantFrom(
    'application/json',
    'application/json; charset=utf-8',
    'Application/JSON;charset=UTF-8',
  )
  const prefix = String(document.servers[0]?.['url'])

  return fc
    .record({
      params: withExisting(parameters('path'), pathNames, source),
      query: parameters('query'),
      headers: parameters('header'),
      sender: senders,
      body,
      contentType,
    })
    .map((drawn) => ({
      params: sentOf(drawn.params),
      method,
      path: prefix + fillPath(path, drawn.params) + printQuery(drawn.query),
      headers: { ...drawn.sender, ...inLowerCase(sentOf(drawn.headers)), 'content-type': drawn.contentType },
      body: drawn.body === undefined ? undefined : Buffer.from(JSON.stringify(drawn.body)),
    }))
}

const everyOther = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined, freq: 2 })

/** Few values, so that requests reuse keys and match versions of records. */
const headerValues: Readonly<Record<string, fc.Arbitrary<string>>> = {
  'Idempotency-Key': fc.oneof(
    fc.nat(19).map((number) => `key-${number}`),
    fc.stringMatching(/^[\x21-\x7e]{1,255}$/),
  ),
  'If-Match': fc.constantFrom('*', '"1"', '"2"', '"1", "2"', 'W/"1"', '"a,b"', 'x'),
}

function parameterValues(
  { name, in: location, schema }: OpenApiParameter,
  source: Source,
): fc.Arbitrary<unknown> {
  const ofHeader = location === 'header' ? headerValues[name] : undefined
  return ofHeader ?? valuesNamed(name, schema, source)
}

function nearValidRequests(valid: fc.Arbitrary<DrawnRequest>): fc.Arbitrary<DrawnRequest> {
  return fc.oneof(
    valid.chain((request) => breakBody(request.body).map((body) => ({ ...request, body }))),
    {
      arbitrary: valid.chain((request) => corruptBody(request.body).map((body) => ({ ...request, body }))),
      weight: 2,
    },
    valid.chain((request) => corruptQuery(request.path).map((path) => ({ ...request, path }))),
    valid.map((request) => ({ ...request, body: undefined })),
    valid.map((request) => ({ ...request, headers: without(request.headers, 'content-type') })),
  )
}

function hostileRequests(valid: fc.Arbitrary<DrawnRequest>): fc.Arbitrary<DrawnRequest> {
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

function fillPath(path: string, params: Fields): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''))
}

function printQuery(query: Fields): string {
  const pairs = Object.entries(query).filter(([, value]) => value !== undefined)
  if (pairs.length === 0) return ''
  return `?${pairs.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join('&')}`
}

function without(headers: Headers, left: string): Headers {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name !== left))
}

function sentOf(fields: Fields): Record<string, string> {
  const sent = Object.entries(fields).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  )
  return Object.fromEntries(sent)
}

/** So that a hostile header of the same name replaces it. */
function inLowerCase(headers: Headers): Headers {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]))
}
