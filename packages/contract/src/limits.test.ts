import assert from 'node:assert/strict'
import { test } from 'node:test'
import { operationList, operations } from './operations.ts'
import { VideoItem } from './schemas/ingest.ts'

/** What is accepted and kept has to be readable: an answer that its schema rejects is a 500 for a whole page. */

type Schema = Readonly<Record<string, unknown>>

/** In which ways an answer allows less than was accepted, by field. */
function narrower(accepted: Schema, answered: Schema, path = ''): string[] {
  const [from, to] = [variantOf(accepted), variantOf(answered)]
  const faults = (keywords: readonly string[]) => keywords.map((keyword) => `${path} ${keyword}`)
  if (from.kind !== to.kind) return faults(['type'])
  const isNarrower = (keyword: string) => {
    const [least, most] = [numberOr(-Infinity), numberOr(Infinity)]
    return MINIMA.has(keyword)
      ? least(to.schema[keyword]) > least(from.schema[keyword])
      : most(to.schema[keyword]) < most(from.schema[keyword])
  }
  return [
    ...faults([...MINIMA, ...MAXIMA].filter(isNarrower)),
    ...faults(
      ['pattern', 'format'].filter((keyword) => isStricter(from.schema[keyword], to.schema[keyword])),
    ),
    ...(isWithin(from.schema['enum'], to.schema['enum']) ? [] : faults(['enum'])),
    ...(from.isNullable && !to.isNullable ? faults(['null']) : []),
    ...(from.kind === 'array'
      ? narrower(from.schema['items'] as Schema, to.schema['items'] as Schema, `${path}[]`)
      : []),
    ...(from.kind === 'object' ? narrowerFields(from.schema, to.schema, path) : []),
  ]
}

function narrowerFields(accepted: Schema, answered: Schema, path: string): string[] {
  const fields = (schema: Schema) => (schema['properties'] ?? {}) as Readonly<Record<string, Schema>>
  const [from, to] = [fields(accepted), fields(answered)]
  return Object.keys(from).flatMap((name) =>
    to[name] === undefined ? [] : narrower(from[name]!, to[name], `${path}/${name}`),
  )
}

const MINIMA = new Set(['minLength', 'minItems', 'minimum'])
const MAXIMA = new Set(['maxLength', 'maxItems', 'maximum'])

const numberOr = (none: number) => (value: unknown) => (typeof value === 'number' ? value : none)
const isStricter = (from: unknown, to: unknown) => to !== undefined && to !== from
const isWithin = (from: unknown, to: unknown) =>
  to === undefined || (Array.isArray(from) && from.every((value) => (to as unknown[]).includes(value)))

/** A schema without its null. */
function variantOf(schema: Schema): { schema: Schema; kind: unknown; isNullable: boolean } {
  const { type, anyOf } = schema as { type?: unknown; anyOf?: readonly Schema[] }
  if (anyOf !== undefined) {
    const [only, ...more] = anyOf.filter((variant) => variant['type'] !== 'null')
    assert.ok(only !== undefined && more.length === 0, 'a choice of several types is not compared')
    return { ...variantOf(only), isNullable: true }
  }
  const kinds = [type].flat().filter((kind) => kind !== 'null')
  return { schema, kind: kinds[0], isNullable: [type].flat().includes('null') }
}

test('whatever an operation accepts, its own answer can contain', () => {
  const both = operationList.flatMap(({ id, body, answer }) =>
    body === undefined || answer.schema === undefined ? [] : [{ id, body, answer: answer.schema }],
  )

  const found = both.flatMap(({ id, body, answer }) =>
    narrowerFields(body as unknown as Schema, answer as unknown as Schema, id),
  )

  assert.ok(both.length > 10)
  assert.deepEqual(found, [])
})

test('whatever ingest accepts, the answers about it can contain', () => {
  const video = operations.getVideo.answer.schema as unknown as Schema
  const status = operations.getScheduleRequest.answer.schema as unknown as Schema
  const brand = operations.getBrand.answer.schema as unknown as Schema
  const request = operations.scheduleProgram.body as unknown as Schema
  const { source_id } = operations.scheduleProgram.body.properties

  const { keywords, ...fields } = VideoItem.properties
  const item = { ...VideoItem, properties: { ...fields, source_id } } as unknown as Schema

  // One text with commas, of which the server makes the list: its own test compares them.
  assert.equal(keywords.type, 'string')
  assert.deepEqual(narrowerFields(item, video, 'video'), [])
  assert.deepEqual(narrowerFields(request, status, 'request'), [])
  assert.deepEqual(narrowerFields(request, brand, 'brand'), [])
})

test('an answer that allows less is found, in every way', () => {
  const shape = (field: Schema) => ({ type: 'object', properties: { field } })
  const cases: readonly (readonly [accepted: Schema, answered: Schema, fault: string | undefined])[] = [
    [{ type: 'string', maxLength: 200 }, { type: 'string', maxLength: 100 }, '/field maxLength'],
    [{ type: 'string' }, { type: 'string', maxLength: 100 }, '/field maxLength'],
    [{ type: 'string' }, { type: 'string', minLength: 1 }, '/field minLength'],
    [{ type: 'string' }, { type: 'string', pattern: '^a' }, '/field pattern'],
    [{ type: 'string' }, { type: 'string', format: 'uri' }, '/field format'],
    [{ type: 'string' }, { type: 'string', enum: ['a'] }, '/field enum'],
    [{ type: 'string', enum: ['a', 'b'] }, { type: 'string', enum: ['a'] }, '/field enum'],
    [{ type: 'integer', maximum: 9 }, { type: 'integer', maximum: 8 }, '/field maximum'],
    [{ type: 'integer' }, { type: 'integer', minimum: 1 }, '/field minimum'],
    [{ type: ['string', 'null'] }, { type: 'string' }, '/field null'],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, { type: 'string' }, '/field null'],
    [{ type: 'string' }, { type: 'integer' }, '/field type'],
    [
      { type: 'array', maxItems: 200, items: { type: 'string' } },
      { type: 'array', maxItems: 100, items: { type: 'string' } },
      '/field maxItems',
    ],
    [
      { type: 'array', items: shape({ type: 'string' }) },
      { type: 'array', items: shape({ type: 'string', maxLength: 5 }) },
      '/field[]/field maxLength',
    ],
    [{ type: 'string', maxLength: 100 }, { type: ['string', 'null'], maxLength: 200 }, undefined],
  ]

  for (const [accepted, answered, fault] of cases)
    assert.deepEqual(narrowerFields(shape(accepted), shape(answered), ''), fault === undefined ? [] : [fault])
})
