import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bundle } from './bundle.ts'

const port = { $id: 'Port', type: 'string' }

test('a schema without names stays as it is', () => {
  const schema = { type: 'object', properties: { a: { enum: ['x', null] } } }

  assert.deepEqual(bundle(schema), schema)
})

test('a name that is used twice is written once', () => {
  const voyage = { type: 'object', properties: { from: port, to: { type: 'array', items: port } } }

  assert.deepEqual(bundle(voyage), {
    type: 'object',
    properties: {
      from: { $ref: '#/components/schemas/Port' },
      to: { type: 'array', items: { $ref: '#/components/schemas/Port' } },
    },
    components: { schemas: { Port: { type: 'string' } } },
  })
})

test('a named schema becomes a reference to itself, and names inside names are lifted to the same place', () => {
  const voyage = { $id: 'Voyage', type: 'object', properties: { from: port } }

  assert.deepEqual(bundle(voyage), {
    $ref: '#/components/schemas/Voyage',
    components: {
      schemas: {
        Voyage: { type: 'object', properties: { from: { $ref: '#/components/schemas/Port' } } },
        Port: { type: 'string' },
      },
    },
  })
})

test('a named schema may hold itself', () => {
  const tree = { $id: 'Tree', type: 'object', properties: {} as Record<string, object> }
  tree.properties['branch'] = tree

  assert.deepEqual(bundle(tree), {
    $ref: '#/components/schemas/Tree',
    components: {
      schemas: { Tree: { type: 'object', properties: { branch: { $ref: '#/components/schemas/Tree' } } } },
    },
  })
})

test('what was given is not changed', () => {
  const voyage = { $id: 'Voyage', properties: { from: port } }
  const before = structuredClone(voyage)

  bundle(voyage)

  assert.deepEqual(voyage, before)
})
