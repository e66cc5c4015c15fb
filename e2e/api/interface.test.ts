import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { OpenApiDocument, OpenApiOperation } from '@continuity/contract'
import { projectRoot } from '../../tools/house/source-files.ts'
import { fieldsOf } from './document-fields.ts'
import {
  adPodItem,
  interfaceOperations,
  type ListedOperation,
  type ListedParameter,
  ourOperations,
  videoItem,
} from './interface-list.ts'

const documents = {
  '2.1': readDocument('2.1'),
  '2.3': readDocument('2.3'),
} as const

describe('the OpenAPI documents hold the interface, and the interface holds them', () => {
  for (const listed of interfaceOperations) {
    for (const path of [listed.path, ...(listed.aliases ?? [])]) {
      test(`${listed.method} ${listed.version} ${path}`, () => compare(listed, path))
    }
  }

  test('no operation is in the documents but not in the list, and none of ours is lost', () => {
    const listed = [
      ...interfaceOperations.flatMap((o) => [o.path, ...(o.aliases ?? [])].map((path) => ({ ...o, path }))),
      ...ourOperations,
    ]
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
    assert.deepEqual(unlisted, [], 'in the documents, but not in e2e/api/interface-list.ts')
    assert.deepEqual(lost, [], 'in e2e/api/interface-list.ts, but not in the documents')
  })

  test('our own operations are marked and open to those roles only', () => {
    for (const { version, method, path, access } of ourOperations) {
      const operation = findOperation(version, method, path)
      assert.equal(operation['x-ours'], true, path)
      assert.deepEqual(sorted(operation['x-access']), access, `${method} ${path}`)
    }
  })

  test('each kind of ingest item has its fields', () => {
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

test('the documents pass the linter', () => {
  const files = ['docs/api/openapi-2.1.json', 'docs/api/openapi-2.3.json']
  execFileSync('node_modules/.bin/redocly', ['lint', '--config', 'redocly.yaml', ...files], {
    cwd: projectRoot,
    env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    stdio: 'pipe',
  })
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
