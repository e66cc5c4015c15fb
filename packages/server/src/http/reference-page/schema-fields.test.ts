import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonSchema } from '@continuity/contract'
import { markupOf } from './html.ts'
import { type Direction, schemaFields } from './schema-fields.ts'
import type { Schemas } from './schema-shape.ts'

const ref = (name: string): JsonSchema => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: object, more: JsonSchema = {}): JsonSchema => ({
  type: 'object',
  additionalProperties: false,
  properties,
  ...more,
})

/** The text as displayed, in one line. */
function shown(schema: JsonSchema, schemas: Schemas = {}, direction: Direction = 'sent'): string {
  return markupOf(schemaFields(schema, schemas, direction))
    .replace(/<[^>]+>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
}

test('a field shows its type, whether it is required, and what it may be', () => {
  const schema = object(
    { size: { type: 'integer', minimum: 1, maximum: 50, default: 30, description: 'Most on a page.' } },
    { required: ['size'] },
  )

  assert.equal(shown(schema), 'object size integer required Most on a page. 1 to 50; default 30')
})

test('a nullable value is shown as one type, however it is declared', () => {
  const schemas = { Image: object({ url: { type: 'string' } }) }

  assert.match(shown(object({ a: { type: ['string', 'null'] } })), /a string or null/)
  assert.match(shown(object({ a: { anyOf: [ref('Image'), { type: 'null' }] } }), schemas), /a Image or null/)
})

test('a named record is folded below its field, also inside a list', () => {
  const schemas = { Image: object({ url: { type: 'string' } }) }

  const markup = markupOf(
    schemaFields(object({ images: { type: 'array', items: ref('Image') } }), schemas, 'sent'),
  )

  assert.match(markup, /array of Image/)
  assert.match(markup, /<details class="nested"><summary>Fields of Image<\/summary>.*url/s)
})

test('alternatives are shown with their discriminator', () => {
  const schemas = {
    Item: { discriminator: { propertyName: 'type' }, oneOf: [ref('Video'), ref('Pod')] },
    Video: object({ type: { const: 'VIDEO' }, title: { type: 'string' } }),
    Pod: object({ type: { const: 'AD_POD' } }),
  }

  const text = shown({ type: 'array', items: ref('Item'), minItems: 1 }, schemas)

  assert.match(
    text,
    /^array of Item , at least 1 item One of 2, distinguished by type : type: &quot;VIDEO&quot; Video/,
  )
  assert.match(text, /type: &quot;AD_POD&quot; Pod/)
})

test('a map shows the type of its values', () => {
  const schema = object({
    eq: { type: 'object', maxProperties: 20, additionalProperties: { type: 'number' } },
  })

  assert.match(shown(schema), /eq map of number at most 20 fields/)
})

test('a body that allows further fields states that, an answer does not', () => {
  const open = { type: 'object', properties: { a: { type: 'string' } } }

  assert.match(shown(open, {}, 'sent'), /Further fields may be sent\./)
  assert.doesNotMatch(shown(open, {}, 'answered'), /Further fields/)
})

const circles: Record<string, Schemas> = {
  'a record in itself': { A: object({ and: { type: 'array', items: ref('A') }, not: ref('A') }) },
  'two records in each other': { A: object({ b: ref('B') }), B: object({ a: ref('A') }) },
  'a list of itself': { A: { type: 'array', items: ref('A') } },
  'a list of records that hold the list': { A: { type: 'array', items: object({ a: ref('A') }) } },
  'a map of records that hold the map': {
    A: { type: 'object', additionalProperties: object({ a: ref('A') }) },
  },
  'a name for itself': { A: ref('A') },
  'itself or null': { A: { anyOf: [ref('A'), { type: 'null' }] } },
  'an alternative that is itself': { A: { oneOf: [ref('A'), object({ a: ref('A') })] } },
  'nothing at all': {},
}

for (const [title, schemas] of Object.entries(circles)) {
  test(`a schema that refers to ${title} terminates`, () => {
    assert.ok(shown(object({ a: ref('A') }), schemas).length < 1_000)
    assert.ok(shown(ref('A'), schemas).length < 1_000)
  })
}
