import type { JsonSchema, OpenApiDocument } from '@continuity/contract'

export type Schemas = OpenApiDocument['components']['schemas']

/** A schema with its reference followed and its `or null` taken off. */
export interface SchemaShape {
  readonly schema: JsonSchema
  /** Its name under components, if it has one. */
  readonly name: string | undefined
  readonly isNullable: boolean
}

export function shapeOf(value: unknown, schemas: Schemas): SchemaShape {
  let schema = asSchema(value)
  let name: string | undefined
  let isNullable = false
  const followed = new Set<string>()
  while (true) {
    const options = asList(schema.anyOf)
    const others = options.filter((option) => asSchema(option).type !== 'null')
    if (others.length === 1 && options.length === 2) {
      const { anyOf: _, ...outer } = schema
      schema = { ...asSchema(others[0]), ...outer }
      isNullable = true
      continue
    }
    const target = targetOf(schema)
    // A reference that leads back to itself describes nothing; the circle is left where it closes.
    if (target === undefined || followed.has(target)) break
    followed.add(target)
    name = target
    const { $ref: _, ...outer } = schema
    schema = { ...asSchema(schemas[target]), ...outer }
  }
  const types = asList(schema.type)
  return { schema, name, isNullable: isNullable || types.includes('null') }
}

/**
 * What a reader may open below a field: the record itself, looked for inside
 * lists and maps. Nothing where there is only a plain value.
 *
 * A record without a name goes by that of the list around it, so that a list
 * which holds itself is recognised as well.
 */
export function structureOf(value: unknown, schemas: Schemas): SchemaShape | undefined {
  const passed: string[] = []
  let shape = shapeOf(value, schemas)
  while (!isRecord(shape.schema)) {
    const inner = shape.schema.items ?? mapValueOf(shape.schema)
    if (inner === undefined || (shape.name !== undefined && passed.includes(shape.name))) return undefined
    if (shape.name !== undefined) passed.push(shape.name)
    shape = shapeOf(inner, schemas)
  }
  return { ...shape, name: shape.name ?? passed.at(-1) }
}

/** The type in words, such as `array of Video` or `string or null`. */
export function typeWords(value: unknown, schemas: Schemas): string {
  const { schema, name, isNullable } = shapeOf(value, schemas)
  const words = name !== undefined && !isPlain(schema) ? name : ownTypeWords(schema, schemas)
  return isNullable ? `${words} or null` : words
}

export const propertiesOf = (schema: JsonSchema): [string, unknown][] =>
  Object.entries(asSchema(schema.properties))

/** The schema of the values where any name may be a field. */
export function mapValueOf(schema: JsonSchema): JsonSchema | undefined {
  return isSchema(schema.additionalProperties) ? schema.additionalProperties : undefined
}

export const asSchema = (value: unknown): JsonSchema => (isSchema(value) ? value : {})

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

function targetOf(schema: JsonSchema): string | undefined {
  return typeof schema.$ref === 'string' ? schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1) : undefined
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null

const isRecord = (schema: JsonSchema) => asList(schema.oneOf).length > 0 || propertiesOf(schema).length > 0

/** A name that stands for a plain value says less to a reader than the type of the value. */
const isPlain = (schema: JsonSchema) =>
  typeof schema.type === 'string' && schema.type !== 'object' && schema.type !== 'array'

function ownTypeWords(schema: JsonSchema, schemas: Schemas): string {
  const options = [...asList(schema.oneOf), ...asList(schema.anyOf)]
  if (options.length > 0) return oneOfWords(options.map((option) => typeWords(option, schemas)))
  const types = (Array.isArray(schema.type) ? schema.type : [schema.type]).filter((type) => type !== 'null')
  if (types.includes('array')) return `array of ${typeWords(schema.items, schemas)}`
  const value = mapValueOf(schema)
  if (value !== undefined && propertiesOf(schema).length === 0) return `map of ${typeWords(value, schemas)}`
  if (types.every((type) => type === undefined)) return typeOfConstant(schema)
  return oneOfWords(types.map(String))
}

const typeOfConstant = (schema: JsonSchema) => ('const' in schema ? typeof schema.const : 'any value')

function oneOfWords(words: readonly string[]): string {
  const different = [...new Set(words)]
  const last = different.at(-1) ?? ''
  return different.length < 2 ? last : `${different.slice(0, -1).join(', ')} or ${last}`
}
