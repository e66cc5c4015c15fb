import { bundle } from '@continuity/contract'
import { Ajv, type ErrorObject, type Options, type ValidateFunction } from 'ajv'
import type { Fault } from '../platform/errors.ts'

/** Returns the faults of a value. */
export type Check = (value: unknown) => readonly Fault[]

/** More are of no use, and a hostile body could have a million. */
const FAULTS_MAXIMUM = 20

/** All checks share two compilers: creating one takes longer than compiling a schema. */
const options: Options = {
  // Errors include their schema, whose description is more helpful than a pattern.
  verbose: true,
  strict: true,
  strictRequired: false,
  allowUnionTypes: true,
  discriminator: true,
  formats: { 'date-time': isDateTime, date: isDate, uri: isUri },
  keywords: ['components'],
}
const firstFault = new Ajv(options)
const everyFault = new Ajv({ ...options, allErrors: true })

/**
 * Creates a check of one schema. It is compiled at its first use: compiling all of them would take most of the start of
 * a process, which rarely needs all of them.
 *
 * The first pass stops at the first fault: it is fast, and a body with a million faults costs no more than one. Only a
 * small value that failed is checked again for all of its faults.
 */
export function compileCheck(schema: object, prefix = ''): Check {
  let bundled: object | undefined
  let isValid: ValidateFunction | undefined
  let findAll: ValidateFunction | undefined
  return (value) => {
    bundled ??= bundle(schema)
    isValid ??= firstFault.compile(bundled)
    if (isValid(value)) return []
    if (!isSmall(value)) return toFaults(isValid.errors, prefix)
    findAll ??= everyFault.compile(bundled)
    findAll(value)
    return toFaults(findAll.errors, prefix)
  }
}

/** At most some hundred values, counted without recursion. */
function isSmall(value: unknown): boolean {
  const rest: unknown[] = [value]
  for (let seen = 0; seen < 500; seen += 1) {
    const next = rest.pop()
    if (next === undefined && rest.length === 0) return true
    if (typeof next === 'object' && next !== null) {
      const values = Object.values(next)
      if (values.length > 500) return false
      rest.push(...values)
    }
    if (rest.length === 0) return true
  }
  return false
}

function toFaults(errors: ErrorObject[] | null | undefined, prefix: string): Fault[] {
  const faults = new Map<string, Fault>()
  for (const error of errors ?? []) {
    // Reported for a union after the errors of its branches.
    if (error.keyword === 'anyOf' || error.keyword === 'oneOf') continue
    const fault = toFault(error, prefix)
    // The first fault of a value is its cause; the others follow from it.
    if (!faults.has(fault.pointer)) faults.set(fault.pointer, fault)
    if (faults.size === FAULTS_MAXIMUM) break
  }
  return [...faults.values()]
}

function toFault(error: ErrorObject, prefix: string): Fault {
  const params = error.params as {
    missingProperty?: string
    additionalProperty?: string
    allowedValues?: readonly unknown[]
    allowedValue?: unknown
    tag?: string
  }
  const own = params.missingProperty ?? params.additionalProperty ?? params.tag
  const path = own === undefined ? error.instancePath : `${error.instancePath}/${escapePointer(own)}`
  return {
    pointer: prefix === '' ? path : prefix + path,
    code: error.keyword,
    message: toMessage(error, params),
  }
}

function toMessage(
  error: ErrorObject,
  params: { allowedValues?: readonly unknown[]; allowedValue?: unknown },
) {
  switch (error.keyword) {
    case 'required':
      return 'is missing'
    case 'additionalProperties':
      return 'is not a field of this'
    case 'enum':
      return `must be one of ${params.allowedValues?.join(', ')}`
    case 'const':
      return `must be ${String(params.allowedValue)}`
    case 'discriminator':
      return 'must name one of the kinds of item'
    case 'format':
      return `must be ${formatDescriptions[String(error.params['format'])]}`
    case 'pattern': {
      const { description, format } = error.parentSchema as { description?: string; format?: string }
      return `must be ${formatDescriptions[format ?? ''] ?? `of the form: ${description ?? ''}`}`
    }
    default:
      return error.message ?? 'is not valid'
  }
}

const formatDescriptions: Readonly<Record<string, string>> = {
  'date-time': 'an ISO 8601 time in UTC, ending in Z',
  date: 'a day, yyyy-mm-dd',
  uri: 'an http or https address',
}

const escapePointer = (name: string) => name.replaceAll('~', '~0').replaceAll('/', '~1')

const DATE_TIME = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/

function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text)
  return match !== null && isDate(match[1]!)
}

/** A day of the calendar: 2026-02-30 is invalid. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false
  const day = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
}

/** Control characters are rejected first: the URL parser drops some silently, and they would be stored as sent. */
function isUri(text: string): boolean {
  return !/\p{Cc}/u.test(text) && URL.canParse(text)
}
