import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { bulkItemCodes, errorsOf, operationList } from '@continuity/contract'
import * as playoutErrors from '../modules/playout/errors.ts'
import type { ErrorKind } from '../platform/errors.ts'
import { buildHandlers } from './build-handlers.ts'
import { errorTable } from './error-table.ts'

const tableStatuses = new Map(errorTable.map(({ code, status }) => [code, status]))
const builtOperations = namesOfHandlers()

test('a code is declared once', () => {
  const codes = errorTable.map(({ code }) => code)

  assert.equal(new Set(codes).size, codes.length)
})

test('every error has a code of two parts, an error status and a title', () => {
  for (const { code, status, title } of errorTable) {
    assert.match(code, /^[a-z][a-z_]*\.[a-z][a-z_]*$/)
    assert.ok(status >= 400 && status <= 599, code)
    assert.match(title, /^[A-Z][^.]+$/, code)
  }
})

test('the table is sorted by status, then by code', () => {
  const keys = errorTable.map(({ status, code }) => `${status} ${code}`)

  assert.deepEqual(keys, keys.toSorted())
})

test('every error of a module is in the table', async () => {
  const missing = (await moduleErrors()).filter(({ code }) => !tableStatuses.has(code))

  assert.deepEqual(missing, [])
})

test('a code has the status that the contract declares', () => {
  const differing = operationList.flatMap((e) =>
    Object.entries(errorsOf(e))
      .filter(([code, status]) => tableStatuses.has(code) && tableStatuses.get(code) !== status)
      .map(([code, status]) => `${e.id} declares ${code} as ${status}, but it is ${tableStatuses.get(code)}`),
  )

  assert.deepEqual(differing, [])
})

test('every code that an implemented operation declares exists', () => {
  const built = operationList.filter(({ id }) => builtOperations.has(id))

  const undeclared = built.flatMap((e) =>
    Object.keys(errorsOf(e))
      .filter((code) => !tableStatuses.has(code))
      .map((code) => `${e.id} ${code}`),
  )

  assert.equal(built.length, builtOperations.size)
  assert.deepEqual(undeclared, [])
})

test('the items of a bulk call fail with codes and statuses of the table', () => {
  for (const [code, status] of Object.entries(bulkItemCodes))
    assert.equal(tableStatuses.get(code), status, code)
})

test('every error of a module is one that some operation declares', async () => {
  const declared = new Set([
    ...operationList.flatMap((e) => Object.keys(errorsOf(e))),
    ...Object.keys(bulkItemCodes),
  ])
  // Errors of playout, which is not an operation of the contract.
  const played = new Set(Object.values(playoutErrors).map(({ code }) => code))

  const unknown = (await moduleErrors()).filter(({ code }) => !declared.has(code) && !played.has(code))

  assert.deepEqual(unknown, [])
})

/** The errors declared by the modules, found by file, so that none is left out. */
async function moduleErrors(): Promise<ErrorKind[]> {
  const modules = join(import.meta.dirname, '../modules')
  const files = globSync('*/errors.ts', { cwd: modules })
  const exported = await Promise.all(
    files.map((file) => import(join(modules, file)) as Promise<Record<string, unknown>>),
  )
  return exported
    .flatMap((file) => Object.values(file))
    .filter((value): value is ErrorKind => typeof value === 'function' && 'code' in value)
    .map(({ code, status, title }) => ({ code, status, title }))
}

/** The names of the handlers only: built with stubs and never called. */
function namesOfHandlers(): ReadonlySet<string> {
  const stub: unknown = new Proxy(() => stub, { get: () => stub })
  return new Set(Object.keys(Reflect.apply(buildHandlers, undefined, [stub]) as object))
}
