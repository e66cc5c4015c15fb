/** Something that a document must not contain, or lacks. */
export interface Fault {
  /** JSON pointer into the document. */
  readonly pointer: string
  /** The rule. */
  readonly message: string
}

/** Reads a value of a document. Faults are added to the list; what is returned then must not be used. */
export type Read<T> = (value: unknown, pointer: string, faults: Fault[]) => T

export interface Field<T> {
  readonly read: Read<T>
  readonly isRequired: boolean
}

type Shape<F> = { readonly [Name in keyof F]: F[Name] extends Field<infer T> ? T : never }

export const required = <T>(read: Read<T>): Field<T> => ({ read, isRequired: true })

/** Null and an empty text stand for an absent field. */
export const optional = <T>(read: Read<T>, otherwise: T): Field<T> => ({
  isRequired: false,
  read: (value, pointer, faults) =>
    value === undefined || value === null || value === '' ? otherwise : read(value, pointer, faults),
})

export function object<F extends Readonly<Record<string, Field<unknown>>>>(fields: F): Read<Shape<F>> {
  return (value, pointer, faults) => {
    const read: Record<string, unknown> = {}
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      faults.push({ pointer, message: 'must be an object' })
      return read as Shape<F>
    }
    for (const name of Object.keys(value).filter((each) => !Object.hasOwn(fields, each))) {
      const message = `is unknown; the fields are ${Object.keys(fields).join(', ')}`
      faults.push({ pointer: below(pointer, name), message })
    }
    for (const [name, field] of Object.entries(fields)) {
      const member = Object.hasOwn(value, name) ? (value as Record<string, unknown>)[name] : undefined
      if (member === undefined && field.isRequired) {
        faults.push({ pointer: below(pointer, name), message: 'is required' })
      } else read[name] = field.read(member, below(pointer, name), faults)
    }
    return read as Shape<F>
  }
}

export function list<T>(read: Read<T>, least: number, most: number): Read<readonly T[]> {
  return (value, pointer, faults) => {
    if (!Array.isArray(value) || value.length < least || value.length > most) {
      faults.push({ pointer, message: `must be an array of ${least} to ${most} values` })
      return []
    }
    return value.map((each: unknown, at) => read(each, `${pointer}/${at}`, faults))
  }
}

/** A text for which `isValid` holds. `rule` completes the sentence "must be …". */
export function text(rule: string, isValid: (text: string) => boolean): Read<string> {
  return (value, pointer, faults) => {
    if (typeof value === 'string' && isValid(value)) return value
    faults.push({ pointer, message: `must be ${rule}` })
    return ''
  }
}

export const textUpTo = (most: number): Read<string> =>
  text(`a text of 1 to ${most} characters`, ({ length }) => length > 0 && length <= most)

export function oneOf<T extends string>(values: readonly T[]): Read<T> {
  const read = text(`one of ${values.join(', ')}`, (value) => (values as readonly string[]).includes(value))
  return read as Read<T>
}

export function integer(least: number, most: number): Read<number> {
  return (value, pointer, faults) => {
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) {
      return value as number
    }
    faults.push({ pointer, message: `must be a whole number from ${least} to ${most}` })
    return least
  }
}

export const flag: Read<boolean> = (value, pointer, faults) => {
  if (typeof value !== 'boolean') faults.push({ pointer, message: 'must be true or false' })
  return value === true
}

export const below = (pointer: string, name: string): string =>
  `${pointer}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`
