import type { JsonSchema, OpenApiDocument } from '@continuity/contract'
import type { FieldTypes } from './interface-list.ts'

/** A body as documented: its fields by dotted path, and the required ones. */
export interface DocumentedBody {
  readonly fields: FieldTypes
  readonly required: string[]
}

interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly items?: Schema
}

/** Reads the fields out of a schema of a document. A recursive schema is read once. */
export function fieldsOf(document: OpenApiDocument, schema: JsonSchema): DocumentedBody {
  const fields: Record<string, string> = {}
  const required: string[] = []

  const walk = (given: Schema, path: string, trail: readonly string[]) => {
    const { target, names } = follow(given, trail)
    if (path !== '')
      fields[path] = [...new Set([...typesOf(target), ...(fields[path]?.split('|') ?? [])])]
        .toSorted()
        .join('|')
    // The filter tree refers to itself; its inside is a language of its own.
    if (names.includes('SearchFilter')) return
    const variants = target.oneOf ?? target.anyOf?.filter(({ type }) => type !== 'null') ?? []
    for (const variant of variants) walk(variant, path, names)
    if (variants.length > 1) keepCommonRequired(variants, path)
    for (const [name, property] of Object.entries(target.properties ?? {}))
      walk(property, join(path, name), names)
    if (variants.length === 0) for (const name of target.required ?? []) required.push(join(path, name))
    if (target.items !== undefined) walk(target.items, `${path}[]`, names)
  }

  const follow = (given: Schema, trail: readonly string[]): { target: Schema; names: readonly string[] } => {
    if (given.$ref === undefined) return { target: given, names: trail }
    const name = given.$ref.slice(given.$ref.lastIndexOf('/') + 1)
    return { target: document.components.schemas[name] as Schema, names: [...trail, name] }
  }

  /** Of a union, only what every variant requires is required. */
  const keepCommonRequired = (variants: readonly Schema[], path: string) => {
    const lists = variants.map((variant) => new Set(follow(variant, []).target.required))
    const common = [...(lists[0] ?? [])].filter((name) => lists.every((list) => list.has(name)))
    const kept = required.filter(
      (field) => !(field.startsWith(`${path}.`) && !field.slice(path.length + 1).includes('.')),
    )
    required.splice(0, required.length, ...kept, ...common.map((name) => join(path, name)))
  }

  const typesOf = (schema: Schema): string[] => {
    if (schema.type !== undefined) return typeof schema.type === 'string' ? [schema.type] : [...schema.type]
    const values = schema.enum ?? (schema.const === undefined ? [] : [schema.const])
    if (values.length > 0) return [...new Set(values.map((value) => typeof value))]
    return (schema.anyOf ?? schema.oneOf ?? []).flatMap((part) => typesOf(follow(part, []).target))
  }

  walk(schema, '', [])
  return { fields, required: required.toSorted() }
}

const join = (path: string, name: string) => (path === '' ? name : `${path}.${name}`)
