export type JsonSchema = { readonly [keyword: string]: unknown }

const componentRef = (name: string) => `#/components/schemas/${name}`

/**
 * A schema in which every named part is defined once, under `components`.
 *
 * The documents and the validators read the same form, so that what is
 * published is what is checked. It also lets a named schema refer to itself.
 */
export function bundle(schema: object): JsonSchema {
  const named = new Map<string, JsonSchema>()
  const root = hoist(schema, named)
  if (named.size === 0) return root
  return { ...root, components: { schemas: Object.fromEntries(named) } }
}

/** Replaces each named part by a reference and collects the parts. */
export function hoist(schema: object, named: Map<string, JsonSchema>): JsonSchema {
  const { $id, ...rest } = schema as { $id?: string } & JsonSchema
  if ($id === undefined) return hoistParts(rest, named)
  if (!named.has($id)) {
    named.set($id, {}) // holds its place in the order, and ends recursion
    named.set($id, hoistParts(rest, named))
  }
  return { $ref: componentRef($id) }
}

function hoistParts(schema: JsonSchema, named: Map<string, JsonSchema>): JsonSchema {
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => [keyword, hoistValue(value, named)]),
  )
}

function hoistValue(value: unknown, named: Map<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((item) => hoistValue(item, named))
  if (typeof value === 'object' && value !== null) return hoist(value, named)
  return value
}
