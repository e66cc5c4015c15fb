import type { JsonSchema, OpenApiDocument } from '@continuity/contract'

export type Schemas = OpenApiDocument['components']['schemas']

/** A schema with its reference resolved and `or null` removed. */
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
    // A reference to itself describes nothing; resolving stops where the circle closes.
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
 * The record that can be expanded below a field, also inside lists and maps. Undefined for a plain value.
 *
 * A record without a name uses that of the enclosing list, so that a list that contains itself is recognised as well.
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

/** The type as text, such as `array of Video` or `string or null`. */
export function typeWords(value: unknown, schemas: Schemas): string {
  const { schema, name, isNullable } = shapeOf(value, schemas)
  const words = name !== undefined && !isPlain(schema) ? name : ownTypeWords(schema, schemas)
  return isNullable ? `${words} or null` : words
}

export const propertiesOf = (schema: JsonSchema): [string, unknown][] =>
  Object.entries(asSchema(schema.properties))

/** The schema of the values of a map. */
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

/** A plain value shows its type, which is more helpful than its name. */
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
