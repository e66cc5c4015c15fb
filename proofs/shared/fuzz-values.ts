import type { JsonSchema } from '@continuity/contract'
import fc from 'fast-check'

/** Values by field name, such as the ids in the path of one record. */
export type FieldValues = Readonly<Record<string, string>>

/** Values that exist in the system under test. */
export interface KnownValues {
  /** Whether values of this name are kept. */
  covers(name: string): boolean
  /** A known value, chosen by a random number; undefined while there is none. */
  pick(name: string, random: number): string | undefined
  /** Values of these names that belong together. */
  pickTogether(names: readonly string[], random: number): FieldValues | undefined
  add(values: FieldValues): void
  /** Keeps every such value of an answer, with the path parameters of its request. No answer contains a password. */
  collect(answer: unknown, pathParams?: FieldValues): void
  /** A value that is never picked, because the run itself depends on it. */
  reserve(value: string): void
}

/** Ids, page cursors, and what a session is opened with. */
const COLLECTED = /_id$|^(page_mark|distributor|account_name|email|app_name|sdk_key|token_refresh)$/
const COVERED = new RegExp(`${COLLECTED.source}|^(page_offset|password)$`)

/** A cursor is returned under one name and sent under another. */
const CURSOR = { answered: 'page_mark', sent: 'page_offset' } as const

/** Only the newest of each kind are kept: it saves memory, and most of these records still exist. */
const KIND_MAXIMUM = 100

export function createKnownValues(): KnownValues {
  const kinds = new Map<string, Map<string, FieldValues>>()
  const reserved = new Set<string>()

  const add = (found: FieldValues) => {
    // The creator of a record may be the user who sends the requests.
    const values = Object.fromEntries(Object.entries(found).filter(([name]) => !name.endsWith('_user_id')))
    if (Object.values(values).some((value) => reserved.has(value))) return
    const [kind, key] = [Object.keys(values).toSorted().join(' '), JSON.stringify(values)]
    const ofKind = kinds.get(kind) ?? new Map<string, FieldValues>()
    // Moved to the end, among the newest.
    ofKind.delete(key)
    kinds.set(kind, ofKind.set(key, values))
    if (ofKind.size > KIND_MAXIMUM) ofKind.delete(ofKind.keys().next().value!)
  }
  const collect = (answer: unknown, pathParams: FieldValues = {}) => {
    if (typeof answer !== 'object' || answer === null || isProblem(answer)) return
    const own = Object.entries(answer)
      .filter(([name, value]) => COLLECTED.test(name) && isText(value))
      .map(([name, value]) => [name === CURSOR.answered ? CURSOR.sent : name, value] as const)
    if (own.length > 0) add({ ...pathParams, ...Object.fromEntries(own) })
    for (const part of Object.values(answer)) collect(part, pathParams)
  }
  const pickTogether = (names: readonly string[], random: number) => {
    const fitting = [...kinds.values()]
      .filter((ofKind) => hasAll(ofKind.values().next().value!, names))
      .flatMap((ofKind) => [...ofKind.values()])
    return fitting[random % fitting.length]
  }
  return {
    covers: (name) => COVERED.test(name),
    pick: (name, random) => pickTogether([name], random)?.[name],
    pickTogether,
    add,
    collect,
    reserve: (value) => void reserved.add(value),
  }
}

const hasAll = (values: FieldValues, names: readonly string[]) =>
  names.every((name) => Object.hasOwn(values, name))
/** The request_id of a problem is that of the call and not of a record. */
const isProblem = (answer: object) => 'instance' in answer && 'code' in answer
const isText = (value: unknown) => typeof value === 'string' && value !== ''

/** The part of JSON Schema that the documents use. */
interface Schema {
  readonly $ref?: string
  readonly type?: string | readonly string[]
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: boolean | Schema
  readonly minProperties?: number
  readonly maxProperties?: number
  readonly items?: Schema
  readonly minItems?: number
  readonly maxItems?: number
  readonly uniqueItems?: boolean
  readonly minLength?: number
  readonly maxLength?: number
  readonly pattern?: string
  readonly format?: string
  readonly minimum?: number
  readonly multipleOf?: number
  readonly maximum?: number
}

type Components = Readonly<Record<string, JsonSchema>>

/** The schemas that are referred to, and the values that exist on the server. */
export interface Source {
  readonly components: Components
  readonly known: KnownValues
}

/** A recursive schema is drawn this deep; hostile bodies go deeper. */
const DEPTH = 3

/** Random values that a schema allows. */
export function valuesOf(schema: Schema, source: Source, depth = DEPTH): fc.Arbitrary<unknown> {
  const of = (part: Schema) => valuesOf(part, source, depth)
  if (schema.$ref !== undefined) {
    return valuesOf(resolve(schema.$ref, source.components), source, depth - 1)
  }
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum)
  const variants = schema.oneOf ?? schema.anyOf
  if (variants !== undefined) return fc.oneof(...variants.map(of))
  if (Array.isArray(schema.type))
    return fc.oneof(...schema.type.map((type: string) => of({ ...schema, type })))
  switch (schema.type) {
    case 'string':
      return strings(schema)
    case 'integer':
      return integersOf(schema)
    case 'number':
      return fc.double({ min: schema.minimum ?? -1e9, max: schema.maximum ?? 1e9, noNaN: true })
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return arrays(schema, of)
    case 'object':
      return objects(schema, of, source, depth)
    default:
      return fc.jsonValue({ maxDepth: 2 })
  }
}

/** Random values of a field; one in three exists on the server, where any value for this field is known. */
export function valuesNamed(
  name: string,
  schema: Schema,
  source: Source,
  depth = DEPTH,
): fc.Arbitrary<unknown> {
  const random = name === 'duration' ? lengthsOf(schema) : valuesOf(schema, source, depth)
  const { known } = source
  const single = name.replace(/_ids$/, '_id')
  if (single !== name && schema.type === 'array' && known.covers(single)) {
    const existing = fc
      .array(fc.nat(), { maxLength: 2 })
      .map((numbers) => [...new Set(numbers.flatMap((number) => known.pick(single, number) ?? []))])
    return fc.oneof(random, { arbitrary: existing, weight: 3 })
  }
  if (schema.type !== 'string' || !known.covers(name)) return random
  const existing = fc.tuple(fc.nat(), random).map(([number, other]) => known.pick(name, number) ?? other)
  return fc.oneof({ arbitrary: random, weight: 2 }, existing)
}

function integersOf({
  minimum = -1_000_000,
  maximum = 1_000_000,
  multipleOf = 1,
}: Schema): fc.Arbitrary<number> {
  const [min, max] = [Math.ceil(minimum / multipleOf), Math.floor(maximum / multipleOf)]
  return fc.integer({ min, max }).map((count) => count * multipleOf)
}

/** Most are a few minutes: videos of any length would hardly ever fit into one program. */
const lengthsOf = (schema: Schema): fc.Arbitrary<unknown> => {
  const { minimum: min = 0, maximum: max = 1_000_000 } = schema
  return fc.oneof(
    { arbitrary: fc.integer({ min, max: Math.min(max, 600) }), weight: 4 },
    fc.integer({ min, max }),
  )
}

function resolve(ref: string, components: Components): Schema {
  return components[ref.slice(ref.lastIndexOf('/') + 1)] as Schema
}

/** In place of the unit `binary`, for which fast-check lists all code points at each call; without surrogates. */
const anyCharacter = fc
  .integer({ min: 0, max: 0x10ffff - 0x800 })
  .map((point) => String.fromCodePoint(point < 0xd800 ? point : point + 0x800))

function strings({ minLength = 0, maxLength = 40, pattern, format }: Schema): fc.Arbitrary<string> {
  const length = { minLength, maxLength: Math.min(maxLength, minLength + 40) }
  if (format === 'date-time') return instants
  if (format === 'date') return instants.map((instant) => instant.slice(0, 10))
  if (format === 'uri') return fc.webUrl()
  if (pattern !== undefined) return matching(pattern, minLength, length.maxLength)
  return fc.oneof(
    fc.string(length),
    // PostgreSQL cannot store a NUL, so the API rejects it.
    fc
      .string({ ...length, unit: anyCharacter })
      .filter((text) => text.length <= maxLength && !text.includes('\0')),
  )
}

/** `__proto__` is rejected as a field name. */
const fieldNames = fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => name !== '__proto__')

const drawn = new Map<string, fc.Arbitrary<string>>()

/** Cached, because fast-check parses the pattern at each call. */
function matching(pattern: string, minLength: number, maxLength: number): fc.Arbitrary<string> {
  const key = `${pattern} ${minLength} ${maxLength}`
  const known = drawn.get(key)
  if (known !== undefined) return known
  const made = fc
    .stringMatching(new RegExp(pattern, 'u'), { maxLength })
    .filter((text) => text.length >= minLength && text.length <= maxLength)
  drawn.set(key, made)
  return made
}

const instants = fc
  .date({ min: new Date('1990-01-01T00:00:00Z'), max: new Date('2090-01-01T00:00:00Z'), noInvalidDate: true })
  .map((date) => date.toISOString())

function arrays(schema: Schema, of: (part: Schema) => fc.Arbitrary<unknown>): fc.Arbitrary<unknown[]> {
  const items = of(schema.items ?? {})
  const minLength = schema.minItems ?? 0
  const length = { minLength, maxLength: Math.min(schema.maxItems ?? 5, minLength + 5) }
  return schema.uniqueItems === true ? fc.uniqueArray(items, length) : fc.array(items, length)
}

function objects(
  schema: Schema,
  of: (part: Schema) => fc.Arbitrary<unknown>,
  source: Source,
  depth: number,
): fc.Arbitrary<unknown> {
  if (typeof schema.additionalProperties === 'object' && schema.properties === undefined) {
    const keys = { minKeys: schema.minProperties ?? 0, maxKeys: Math.min(schema.maxProperties ?? 3, 3) }
    return fc.dictionary(fieldNames, of(schema.additionalProperties), keys)
  }
  const properties = schema.properties ?? {}
  const required = new Set(schema.required)
  // At the maximum depth, references are left out.
  const names = Object.keys(properties).filter(
    (name) => required.has(name) || depth > 0 || !refersToComponents(properties[name]!),
  )
  const optional = names.filter((name) => !required.has(name))
  const fewest = Math.max(0, (schema.minProperties ?? 0) - required.size)
  const most = Math.min(optional.length, (schema.maxProperties ?? names.length) - required.size)
  return fc.subarray(optional, { minLength: Math.min(fewest, most), maxLength: most }).chain((chosen) => {
    const model = [...required, ...chosen].map(
      (name) => [name, valuesNamed(name, properties[name]!, source, depth)] as const,
    )
    return withExisting(fc.record(Object.fromEntries(model)), schema.required ?? [], source)
  })
}

/** Half of the records get known values for the fields of these names. */
export function withExisting<T extends object>(
  records: fc.Arbitrary<T>,
  names: readonly string[],
  { known }: Source,
): fc.Arbitrary<T> {
  const covered = names.filter((name) => known.covers(name))
  if (covered.length === 0) return records
  const existing = fc.tuple(fc.nat(), records).map(([number, record]) => {
    const values = known.pickTogether(covered, number)
    return values === undefined ? record : { ...record, ...only(values, covered) }
  })
  return fc.oneof(records, existing)
}

function only(values: FieldValues, names: readonly string[]): FieldValues {
  return Object.fromEntries(names.map((name) => [name, values[name]!]))
}

function refersToComponents(schema: Schema): boolean {
  if (schema.$ref !== undefined) return true
  return schema.items !== undefined && refersToComponents(schema.items)
}
