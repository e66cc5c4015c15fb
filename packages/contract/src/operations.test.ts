import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressesOf, type Endpoint } from './definition/endpoint.ts'
import { errorsOf } from './definition/error-responses.ts'
import { declarations, operationList, operations } from './operations.ts'
import { Problem } from './schemas/problem.ts'

test('an operation is called by the name that it is exported under', () => {
  const called = Object.entries(operations).map(([name, e]) => [name, e.id])

  assert.deepEqual(
    called.filter(([name, id]) => name !== id),
    [],
  )
})

test('no two operations have the same id', () => {
  // Before they are merged by name: of two that share one, the second would hide the first.
  assert.deepEqual(repeated(declarations.map(([, e]) => e.id)), [])
  assert.equal(declarations.length, operationList.length)
})

test('no two operations answer the same method at the same place', () => {
  // The router sees one place where two addresses differ in the name of a parameter only.
  const places = operationList.flatMap((e) =>
    addressesOf(e).map((address) => `${e.method} ${address.replaceAll(/\{\w+\}/g, '{}')}`),
  )

  assert.deepEqual(repeated(places), [])
})

test('the parameters in each path are those that its schema knows, and all of them are required', () => {
  for (const e of operationList) {
    const declared = Object.keys(e.params?.properties ?? {}).toSorted()
    for (const address of addressesOf(e)) {
      const inPath = [...address.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).toSorted()
      assert.deepEqual(inPath, declared, e.id)
    }
    assert.deepEqual([...(requiredOf(e.params) ?? [])].toSorted(), declared, e.id)
  }
})

test('only operations that may have a body declare one', () => {
  const bodiless = operationList.filter((e) => e.method === 'GET' || e.method === 'DELETE')

  assert.deepEqual(
    bodiless.filter((e) => e.body !== undefined || e.bodyIgnored === true).map((e) => e.id),
    [],
  )
  assert.deepEqual(
    operationList.filter((e) => e.bodyOptional === true && e.body === undefined).map((e) => e.id),
    [],
  )
})

test('a query parameter that has a default may be left out', () => {
  for (const e of operationList) {
    const required = requiredOf(e.query) ?? []
    for (const [name, schema] of Object.entries(e.query?.properties ?? {})) {
      if ('default' in schema) assert.ok(!required.includes(name), `${e.id} ${name}`)
    }
  }
})

test('the names of roles are written in one spelling', () => {
  const roles = new Set(operationList.flatMap(({ access }) => (typeof access === 'string' ? [] : access)))

  assert.deepEqual([...roles].toSorted(), ['ROLE_ADMIN', 'ROLE_OPERATOR', 'ROLE_USER', 'SCHEDULE'])
})

test('a code has one status, in every operation', () => {
  const statuses = new Map<string, Set<number>>()
  for (const e of operationList) {
    for (const [code, status] of Object.entries(errorsOf(e))) {
      statuses.set(code, (statuses.get(code) ?? new Set()).add(status))
    }
  }

  const ambiguous = [...statuses].filter(([, all]) => all.size > 1).map(([code]) => code)

  assert.deepEqual(ambiguous, [])
})

test('a name means one schema everywhere', () => {
  const meanings = new Map<string, Set<string>>()
  for (const schema of [Problem, ...operationList.flatMap(schemasOf)]) collectNamed(schema, meanings)

  const ambiguous = [...meanings].filter(([, texts]) => texts.size > 1).map(([name]) => name)

  assert.ok(meanings.size > 30)
  assert.deepEqual(ambiguous, [])
})

function schemasOf(e: Endpoint): object[] {
  return [e.params, e.query, e.body, e.answer.schema].filter((schema) => schema !== undefined)
}

function collectNamed(value: unknown, meanings: Map<string, Set<string>>): void {
  if (typeof value !== 'object' || value === null) return
  const name = (value as { $id?: string }).$id
  if (name !== undefined) {
    const texts = meanings.get(name) ?? new Set()
    meanings.set(name, texts.add(JSON.stringify(value)))
  }
  for (const part of Object.values(value)) collectNamed(part, meanings)
}

const requiredOf = (schema: unknown) => (schema as { required?: readonly string[] } | undefined)?.required

const repeated = (values: readonly string[]) => values.filter((value, i) => values.indexOf(value) !== i)
