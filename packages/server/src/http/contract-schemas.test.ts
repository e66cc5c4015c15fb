import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Endpoint, Event, eventKinds, operationList } from '@continuity/contract'
import { compileCheck } from './schema-validator.ts'

// Compiling is strict: an unknown or ineffective keyword throws here.
const checks = operationList.map((e) => ({
  e,
  body: compileOf(e.body),
  answer: compileOf(e.answer.schema),
  query: compileOf(e.query),
  params: compileOf(e.params),
}))

test('every example body in the reference is valid', () => {
  for (const { e, body } of checks) {
    if (e.example.body !== undefined) assert.deepEqual(body?.(e.example.body), [], e.id)
  }
})

test('every example answer in the reference is valid', () => {
  for (const { e, answer } of checks) {
    if (e.example.answer !== undefined) assert.deepEqual(answer?.(e.example.answer), [], e.id)
  }
})

test('every kind of event has a valid example', () => {
  const check = compileCheck(Event)
  const { oneOf } = Event as unknown as {
    oneOf: { properties: { kind: { const: string } }; examples: object[] }[]
  }

  for (const { examples } of oneOf) assert.deepEqual(check(examples[0]), [])
  assert.notDeepEqual(check({ ...oneOf[0]!.examples[0]!, data: {} }), [])
  assert.deepEqual(
    oneOf.map(({ properties }) => properties.kind.const),
    Object.keys(eventKinds),
  )
})

test('every body and every answer has an example', () => {
  const withoutBody = operationList.filter((e) => e.body !== undefined && e.example.body === undefined)
  const withoutAnswer = operationList.filter(
    (e) => e.answer.schema !== undefined && e.example.answer === undefined,
  )

  assert.deepEqual([...withoutBody, ...withoutAnswer].map(idOf), [])
})

test('the defaults of a query are valid values', () => {
  for (const { e, query } of checks) {
    const properties = Object.entries((e.query?.properties ?? {}) as Record<string, { default?: unknown }>)
    const filled = Object.fromEntries(
      properties
        .filter(([, schema]) => schema.default !== undefined)
        .map(([name, schema]) => [name, schema.default]),
    )
    const faults = query?.(filled) ?? []
    assert.deepEqual(
      faults.filter(({ code }) => code !== 'required'),
      [],
      e.id,
    )
  }
})

test('no operation accepts an empty id, or one with a control character, in its path', () => {
  for (const { e, params } of checks) {
    for (const name of Object.keys(e.params?.properties ?? {})) {
      for (const value of ['', 'a\u0000b', 'a\nb', 'x'.repeat(256)]) {
        const faults = params?.({ [name]: value }) ?? []
        assert.ok(
          faults.some(({ pointer }) => pointer === `/${name}`),
          `${e.id} ${name}`,
        )
      }
    }
  }
})

test('bodies reject unknown fields, except where clients are known to send more', () => {
  const open = ['scheduleProgram', 'overrideChannels', 'rescueChannels', 'returnChannelsToSchedule']

  for (const { e, body } of checks) {
    if (body === undefined || open.includes(e.id)) continue
    const faults = body({ ...(e.example.body as object), surprise: 1 })
    assert.deepEqual(
      faults.map(({ pointer, code }) => `${pointer} ${code}`),
      ['/surprise additionalProperties'],
      e.id,
    )
  }
})

function compileOf(schema: object | undefined) {
  if (schema === undefined) return undefined
  const check = compileCheck(schema)
  // The first use compiles it.
  check(undefined)
  return check
}

const idOf = (e: Endpoint) => e.id
