import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import {
  type JsonSchema,
  type OpenApiDocument,
  type OpenApiOperation,
  operationList,
} from '@continuity/contract'
import { projectRoot } from '@continuity/dev/project-root'
import { findDocumentFaults } from './document-faults.ts'
import {
  adPodItem,
  bounds,
  bulkMaximum,
  closedSets,
  type FieldTypes,
  interfaceOperations,
  type ListedOperation,
  type ListedParameter,
  videoItem,
} from './interface-list.ts'

const documents = {
  '2.1': readDocument('2.1'),
  '2.3': readDocument('2.3'),
} as const

describe('the OpenAPI documents and the interface list agree', () => {
  for (const listed of interfaceOperations) {
    for (const path of [listed.path, ...(listed.aliases ?? [])]) {
      test(`${listed.method} ${listed.version} ${path}`, () => compare(listed, path))
    }
  }

  test('the documents have the listed operations, and those that the contract marks as ours', () => {
    const listed = [...interfaceOperations, ...operationList.filter(({ ours }) => ours === true)].flatMap(
      (o) => [o.path, ...(o.aliases ?? [])].map((path) => ({ ...o, path })),
    )
    const asLine = ({ version, method, path }: { version: string; method: string; path: string }) =>
      `${method} ${version} ${path}`
    const documented = Object.entries(documents).flatMap(([version, { paths }]) =>
      Object.entries(paths).flatMap(([path, methods]) =>
        Object.keys(methods).map((method) => asLine({ version, method: method.toUpperCase(), path })),
      ),
    )

    const lines = new Set(listed.map(asLine))
    const inDocuments = new Set(documented)
    const unlisted = [...inDocuments.difference(lines)]
    const lost = [...lines.difference(inDocuments)]
    assert.deepEqual(unlisted, [], 'in the documents, but neither in interface-list.ts nor ours')
    assert.deepEqual(lost, [], 'in interface-list.ts or ours, but not in the documents')
  })

  test('each kind of ingest item has the listed fields', () => {
    const { schemas } = documents['2.1'].components
    for (const [name, item] of [
      ['VideoItem', videoItem],
      ['AdPodItem', adPodItem],
    ] as const) {
      const { fields, required } = fieldsOf(documents['2.1'], schemas[name]!)
      assert.deepEqual(fields, item.fields)
      assert.deepEqual(required, item.required.toSorted())
    }
  })
})

describe('enums and bounds are as listed', () => {
  for (const [path, values] of Object.entries(closedSets)) {
    test(path, () => assert.deepEqual((findSchema(path)['enum'] as string[]).toSorted(), values))
  }
  for (const [path, expected] of Object.entries(bounds)) {
    test(path, () => {
      const schema = findSchema(path)
      for (const [keyword, value] of Object.entries(expected)) assert.equal(schema[keyword], value, keyword)
    })
  }
  for (const [path, maximum] of Object.entries(bulkMaximum)) {
    test(`items of ${path}`, () => {
      const body = findOperation('2.3', 'POST', path).requestBody?.content['application/json']?.schema
      assert.equal(body?.['maxItems'], maximum)
    })
  }
})

/** The schema at `Component.field.field`, with `[]` for the items of an array and `*` for any further field. */
function findSchema(path: string): JsonSchema {
  const [component = '', ...steps] = path.replaceAll('[]', '.[]').split('.')
  const schemas = { ...documents['2.1'].components.schemas, ...documents['2.3'].components.schemas }
  const follow = (schema: JsonSchema | undefined): JsonSchema => {
    assert.ok(schema !== undefined, `${path} is not in the documents`)
    const { $ref } = schema as { $ref?: string }
    return $ref === undefined ? schema : follow(schemas[$ref.slice($ref.lastIndexOf('/') + 1)])
  }
  const inside = { '[]': 'items', '*': 'additionalProperties' } as const
  return steps.reduce((schema, step) => {
    if (step === '[]' || step === '*') return follow(schema[inside[step]] as JsonSchema)
    return follow((schema['properties'] as Record<string, JsonSchema>)[step])
  }, follow(schemas[component]))
}

for (const [version, document] of Object.entries(documents)) {
  test(`the document of ${version} is valid OpenAPI`, async () => {
    assert.deepEqual(await findDocumentFaults(document), [])
  })
}

test('each kind of fault in a document is found', async () => {
  const faultsOf = (pattern: RegExp, replacement: string) => {
    const text = JSON.stringify(documents['2.3'])
    const broken = text.replace(pattern, replacement)
    assert.notEqual(broken, text)
    return findDocumentFaults(JSON.parse(broken) as OpenApiDocument)
  }
  for (const [pattern, replacement, fault] of [
    [/"responses":/, '"reponses":', /does not follow the specification/],
    [/#\/components\/schemas\/Problem"/, '#/components/schemas/Problm"', /Problm, which does not exist/],
    [/"type":"string"/, '"type":"strng"', /is not a JSON schema/],
    [/"operationId":"changeOutput"/, '"operationId":"listLinearChannels"', /two operations/],
    [
      /"name":"linear_channel_id","in":"path"/,
      '"name":"channel_id","in":"path"',
      /path parameters channel_id/,
    ],
    [/"credential":\[\]/, '"credentials":[]', /no security scheme/],
  ] as const) {
    assert.match((await faultsOf(pattern, replacement)).join('\n'), fault)
  }
})

function compare(listed: ListedOperation, path: string): void {
  const document = documents[listed.version]
  const operation = findOperation(listed.version, listed.method, path)

  assert.deepEqual(sorted(operation['x-access']), listed.access)
  assert.equal(operation['x-ours'], undefined)
  assert.deepEqual(withSortedValues(queryOf(operation)), withSortedValues(listed.query))
  assert.deepEqual(
    bodyOf(document, operation),
    listed.body && {
      fields: listed.body.fields,
      required: listed.body.required.toSorted(),
    },
  )
  const [status = '', answer] =
    Object.entries(operation.responses).find(([code]) => code.startsWith('2')) ?? []
  assert.equal(Number(status), listed.answer.status)
  const schema = answer?.content?.['application/json']?.schema
  assert.ok(schema !== undefined)
  assert.deepEqual(fieldsOf(document, schema).fields, listed.answer.fields)
}

function findOperation(version: '2.1' | '2.3', method: string, path: string): OpenApiOperation {
  const operation = documents[version].paths[path]?.[method.toLowerCase()]
  assert.ok(operation !== undefined, `${method} ${version} ${path} is not in the document`)
  return operation
}

function queryOf(operation: OpenApiOperation): Record<string, ListedParameter> {
  const parameters = operation.parameters.filter((parameter) => parameter.in === 'query')
  return Object.fromEntries(
    parameters.map(({ name, required, schema }) => {
      const {
        type,
        default: fallback,
        minimum,
        maximum,
        enum: values,
      } = schema as Omit<ListedParameter, 'required'> & { readonly enum?: readonly string[] }
      return [
        name,
        {
          type,
          ...(required ? { required: true as const } : {}),
          ...(fallback === undefined ? {} : { default: fallback }),
          ...(minimum === undefined ? {} : { minimum }),
          ...(maximum === undefined ? {} : { maximum }),
          ...(values === undefined ? {} : { values }),
        },
      ]
    }),
  )
}

function withSortedValues(parameters: Readonly<Record<string, ListedParameter>>) {
  return Object.fromEntries(
    Object.entries(parameters).map(([name, { values, ...rest }]) => [
      name,
      { ...rest, values: values?.toSorted() },
    ]),
  )
}

function bodyOf(document: OpenApiDocument, operation: OpenApiOperation) {
  const schema = operation.requestBody?.content['application/json']?.schema
  return schema === undefined ? undefined : fieldsOf(document, schema)
}

const sorted = (access: OpenApiOperation['x-access']) =>
  typeof access === 'string' ? access : access.toSorted()

function readDocument(version: string): OpenApiDocument {
  return JSON.parse(
    readFileSync(join(projectRoot, `docs/api/openapi-${version}.json`), 'utf8'),
  ) as OpenApiDocument
}

/** A body as documented: its fields by dotted path, and the required ones. */
interface DocumentedBody {
  readonly fields: FieldTypes
  readonly required: string[]
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

/** Reads the fields out of a schema of a document. A recursive schema is read once. */
function fieldsOf(document: OpenApiDocument, schema: JsonSchema): DocumentedBody {
  const fields: Record<string, string> = {}
  const required: string[] = []

  const walk = (given: Schema, path: string, trail: readonly string[]) => {
    const { target, names } = follow(given, trail)
    if (path !== '')
      fields[path] = [...new Set([...typesOf(target), ...(fields[path]?.split('|') ?? [])])]
        .toSorted()
        .join('|')
    // The filter tree refers to itself; its inside is a language of its own.
    if (names.includes('SearchFilter')) return
    const variants = target.oneOf ?? target.anyOf?.filter(({ type }) => type !== 'null') ?? []
    for (const variant of variants) walk(variant, path, names)
    if (variants.length > 1) keepCommonRequired(variants, path)
    for (const [name, property] of Object.entries(target.properties ?? {}))
      walk(property, joined(path, name), names)
    if (variants.length === 0) for (const name of target.required ?? []) required.push(joined(path, name))
    if (target.items !== undefined) walk(target.items, `${path}[]`, names)
  }

  const follow = (given: Schema, trail: readonly string[]): { target: Schema; names: readonly string[] } => {
    if (given.$ref === undefined) return { target: given, names: trail }
    const name = given.$ref.slice(given.$ref.lastIndexOf('/') + 1)
    return { target: document.components.schemas[name] as Schema, names: [...trail, name] }
  }

  /** Of a union, only what every variant requires is required. */
  const keepCommonRequired = (variants: readonly Schema[], path: string) => {
    const lists = variants.map((variant) => new Set(follow(variant, []).target.required))
    const common = [...(lists[0] ?? [])].filter((name) => lists.every((list) => list.has(name)))
    const kept = required.filter(
      (field) => !(field.startsWith(`${path}.`) && !field.slice(path.length + 1).includes('.')),
    )
    required.splice(0, required.length, ...kept, ...common.map((name) => joined(path, name)))
  }

  const typesOf = (schema: Schema): string[] => {
    if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : [...schema.type]
    const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
    if (values.length > 0) return [...new Set(values.map((value) => typeof value))]
    return (schema.anyOf ?? schema.oneOf ?? []).flatMap((part) => typesOf(follow(part, []).target))
  }

  walk(schema, '', [])
  return { fields, required: required.toSorted() }
}

const joined = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
