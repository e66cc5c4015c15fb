import { type Static, type TOptional, type TProperties, type TSchema, Type } from 'typebox'

/** An object that rejects unknown fields. */
export function shape<P extends TProperties>(properties: P, options: Record<string, unknown> = {}) {
  return Type.Object(properties, { additionalProperties: false, ...options })
}

export function optional<P extends TProperties>(properties: P): { [K in keyof P]: TOptional<P[K]> } {
  const entries = Object.entries(properties).map(([name, schema]) => [name, Type.Optional(schema)])
  return Object.fromEntries(entries) as { [K in keyof P]: TOptional<P[K]> }
}

/** A body that changes what it names and leaves the rest. */
export function changeOf<P extends TProperties>(properties: P) {
  return shape(optional(properties), { minProperties: 1 })
}

/** Gives a schema a name of its own in the documents. */
export function named<S extends TSchema>(name: string, schema: S): S {
  return { ...schema, $id: name }
}

/**
 * The value or null. A plain type becomes a pair of types, because Ajv reports an error in
 * an `anyOf` once for each branch.
 */
export function nullable<S extends TSchema>(schema: S) {
  const { type, enum: values, $id } = schema as { type?: unknown; enum?: unknown; $id?: unknown }
  const isPlain = typeof type === 'string' && values === undefined && $id === undefined
  return Type.Unsafe<Static<S> | null>(
    isPlain ? { ...schema, type: [type, 'null'] } : { anyOf: [schema, { type: 'null' }] },
  )
}

/** One of a closed set of strings. */
export function oneOf<const V extends readonly string[]>(values: V, options: Record<string, unknown> = {}) {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values], ...options })
}

/** One of a closed set of whole numbers. */
export function oneIntegerOf<const V extends readonly number[]>(
  values: V,
  options: Record<string, unknown> = {},
) {
  return Type.Unsafe<V[number]>({ type: 'integer', enum: [...values], ...options })
}

/** A query parameter with a default: clients may leave it out, handlers always find it. */
export function defaulted<S extends TSchema, const D extends Static<S>>(
  schema: S,
  value: D,
): TOptional<S> & { readonly default: D } {
  return Type.Optional({ ...schema, default: value }) as unknown as TOptional<S> & { readonly default: D }
}
