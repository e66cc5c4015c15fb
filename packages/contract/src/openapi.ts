import { hoist, type JsonSchema } from './bundle.ts'
import { documentedHeaders } from './definition/credential-headers.ts'
import { type Endpoint, groups, prefixOf, type Version } from './definition/endpoint.ts'
import { errorsOf, isShared } from './definition/error-responses.ts'
import { operationList } from './operations.ts'
import { Problem } from './schemas/problem.ts'

export interface OpenApiDocument {
  readonly openapi: '3.1.0'
  readonly info: JsonSchema
  readonly servers: readonly JsonSchema[]
  readonly tags: readonly { readonly name: string; readonly description: string }[]
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> } & JsonSchema
}

export interface OpenApiOperation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly description?: string
  readonly security: readonly Readonly<Record<string, readonly string[]>>[]
  readonly parameters: readonly OpenApiParameter[]
  readonly requestBody?: {
    readonly required: boolean
    readonly content: Readonly<Record<string, { readonly schema: JsonSchema; readonly example?: unknown }>>
  }
  readonly responses: Readonly<Record<string, OpenApiResponse>>
  readonly 'x-access': Endpoint['access']
  readonly 'x-alias-of'?: string
  readonly 'x-ours'?: true
}

export interface OpenApiParameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header'
  readonly required: boolean
  readonly description?: string
  readonly schema: JsonSchema
}

export interface OpenApiResponse {
  readonly description: string
  readonly content?: Readonly<Record<string, OpenApiContent>>
}

export interface OpenApiContent {
  readonly schema: JsonSchema
  readonly example?: unknown
  /** The `data` of each event, as JSON: OpenAPI 3.1 has no word for the items of a stream. */
  readonly 'x-event'?: JsonSchema
}

/** Error responses that any operation may return, as text: their codes would hide those of the operation. */
const COMMON_ERRORS = {
  406: 'Not acceptable',
  503: 'Busy: nothing was done, try again after Retry-After; with another code than server.overloaded, such as database.unavailable, the effect is not known',
}

/** The OpenAPI 3.1 document of one version, printed from the operations. */
export function openApiDocument(version: Version): OpenApiDocument {
  const named = new Map<string, JsonSchema>()
  const endpoints = operationList.filter((e) => e.version === version)
  const problem = hoist(Problem, named)
  const paths: Record<string, Record<string, OpenApiOperation>> = {}
  for (const e of endpoints) {
    const operation = describe(e, named, problem)
    for (const path of [e.path, ...(e.aliases ?? [])]) {
      const entry = path === e.path ? operation : aliasOf(operation, path)
      paths[path] = { ...paths[path], [e.method.toLowerCase()]: entry }
    }
  }
  const usedGroups = new Set(endpoints.map((e) => e.group))
  return {
    openapi: '3.1.0',
    info: describeService(version),
    servers: [{ url: prefixOf(version) }],
    tags: Object.entries(groups)
      .filter(([name]) => usedGroups.has(name as Endpoint['group']))
      .map(([name, description]) => ({ name, description })),
    paths,
    components: { schemas: mapDiscriminators(named), securitySchemes: describeCredential(version) },
  }
}

function describeService(version: Version): JsonSchema {
  return {
    title: `Continuity ${version}`,
    version,
    description:
      version === '2.1'
        ? 'Sessions, users, the video catalog with its search, and ingest.'
        : 'Reports, linear channels and live sources.',
    license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
  }
}

function describeCredential(version: Version): JsonSchema {
  const names = documentedHeaders[version]
  const spelling = 'The spelling of the other version is accepted too.'
  return {
    credential: {
      type: 'apiKey',
      in: 'header',
      name: names.auth,
      description: 'token.token_access of a session.',
    },
    device: {
      type: 'apiKey',
      in: 'header',
      name: names.device,
      description: `device_id of the session. ${spelling}`,
    },
  }
}

function describe(e: Endpoint, named: Map<string, JsonSchema>, problem: JsonSchema): OpenApiOperation {
  return {
    operationId: e.id,
    tags: [e.group],
    summary: e.summary,
    ...(e.description === undefined ? {} : { description: e.description }),
    security: e.access === 'public' ? [] : [{ credential: [], device: [] }],
    parameters: [...parametersOf(e, 'path', named), ...parametersOf(e, 'query', named), ...headersOf(e)],
    ...(e.body === undefined ? {} : { requestBody: requestBodyOf(e, e.body, named) }),
    responses: { ...answerOf(e, named), ...describeErrors(e, problem) },
    'x-access': e.access,
    ...(e.ours === undefined ? {} : { 'x-ours': e.ours }),
  }
}

function aliasOf(operation: OpenApiOperation, path: string): OpenApiOperation {
  const suffix = path.replace(/\W+(\w)/g, (_, first: string) => first.toUpperCase())
  return {
    ...operation,
    operationId: `${operation.operationId}At${suffix}`,
    'x-alias-of': operation.operationId,
  }
}

function parametersOf(
  e: Endpoint,
  place: 'path' | 'query',
  named: Map<string, JsonSchema>,
): OpenApiParameter[] {
  const schema = place === 'path' ? e.params : e.query
  if (schema === undefined) return []
  const required = new Set((schema as { required?: readonly string[] }).required)
  return Object.entries(schema.properties).map(([name, property]) => {
    const { description, ...rest } = hoist(property, named) as { description?: string } & JsonSchema
    return {
      name,
      in: place,
      required: required.has(name),
      ...(description === undefined ? {} : { description }),
      schema: rest,
    }
  })
}

function headersOf(e: Endpoint): OpenApiParameter[] {
  const headers: OpenApiParameter[] = []
  if (e.idempotencyKey === true) {
    headers.push({
      name: 'Idempotency-Key',
      in: 'header',
      required: false,
      description: 'The same key within 24 hours gives the same answer and no second effect.',
      schema: { type: 'string', minLength: 1, maxLength: 255 },
    })
  }
  if (e.errors !== undefined && 'record.changed' in e.errors) {
    headers.push({
      name: 'If-Match',
      in: 'header',
      required: false,
      description: 'The ETag that was read; 412 when the record has changed since.',
      schema: { type: 'string', maxLength: 255 },
    })
  }
  if (e.answer.events !== undefined) {
    headers.push({
      name: 'Last-Event-ID',
      in: 'header',
      required: false,
      description: 'The id of the last event that was received; the stream begins after it.',
      schema: { type: 'string', pattern: '^[A-Za-z0-9_-]*$', maxLength: 255 },
    })
  }
  return headers
}

function requestBodyOf(e: Endpoint, body: object, named: Map<string, JsonSchema>) {
  return {
    required: e.bodyOptional !== true,
    content: {
      'application/json': {
        schema: hoist(body, named),
        ...(e.example.body === undefined ? {} : { example: e.example.body }),
      },
    },
  }
}

function answerOf(e: Endpoint, named: Map<string, JsonSchema>): Record<string, OpenApiResponse> {
  const { status, description, schema, mediaTypes, events } = e.answer
  if (schema === undefined && mediaTypes === undefined) return { [status]: { description } }
  const json = {
    schema: schema === undefined ? { type: 'string' } : hoist(schema, named),
    ...(e.example.answer === undefined ? {} : { example: e.example.answer }),
  }
  const types = mediaTypes ?? ['application/json']
  const text = {
    schema: { type: 'string' },
    ...(events === undefined ? {} : { 'x-event': hoist(events, named) }),
  }
  const content = types.map((type) => [type, type === 'application/json' ? json : text])
  return { [status]: { description, content: Object.fromEntries(content) } }
}

function describeErrors(e: Endpoint, problem: JsonSchema): Record<string, OpenApiResponse> {
  const content = { 'application/problem+json': { schema: problem } }
  const byStatus = new Map<number, string[]>()
  const add = (status: number, why: string) => byStatus.set(status, [...(byStatus.get(status) ?? []), why])

  if (e.params !== undefined || e.query !== undefined || e.body !== undefined) add(400, '`request.invalid`')
  if (e.access !== 'public') add(401, 'no valid credential')
  if (Array.isArray(e.access)) add(403, `needs ${e.access.join(' or ')}`)
  if (e.body !== undefined) {
    add(413, 'body too large')
    add(415, 'body is not application/json')
  }
  for (const [code, status] of Object.entries(errorsOf(e))) {
    if (!isShared(code)) add(status, `\`${code}\``)
  }
  for (const [status, why] of Object.entries(COMMON_ERRORS)) add(Number(status), why)

  const sorted = [...byStatus].toSorted(([a], [b]) => a - b)
  return Object.fromEntries(
    sorted.map(([status, why]) => [status, { description: `${why.join('; ')}.`, content }]),
  )
}

/** OpenAPI needs the schema of each discriminator value; Ajv does not. */
function mapDiscriminators(named: ReadonlyMap<string, JsonSchema>): Record<string, JsonSchema> {
  const valueFor = (ref: string, property: string) => {
    const target = named.get(ref.slice(ref.lastIndexOf('/') + 1)) as {
      properties: Record<string, { const: string }>
    }
    return target.properties[property]?.const
  }
  const entries = [...named].map(([name, schema]) => {
    const { discriminator, oneOf } = schema as {
      discriminator?: { propertyName: string }
      oneOf?: { $ref: string }[]
    }
    if (discriminator === undefined || oneOf === undefined) return [name, schema]
    const mapping = oneOf.map(({ $ref }) => [valueFor($ref, discriminator.propertyName), $ref])
    return [name, { ...schema, discriminator: { ...discriminator, mapping: Object.fromEntries(mapping) } }]
  })
  return Object.fromEntries(entries)
}
