import type { IncomingHttpHeaders } from 'node:http'
import type { Endpoint } from '@continuity/contract'
import secureJson from 'secure-json-parse'
import type { Fault } from '../platform/errors.ts'
import { InvalidRequest, MalformedRequest, UnsupportedBody } from './errors.ts'
import { type Check, compileCheck } from './schema-validator.ts'

/** The parts of a Fastify request that are read; its body is bytes. */
export interface RawRequest {
  readonly params: unknown
  readonly query: unknown
  /** Names are in lower case. */
  readonly headers: Readonly<IncomingHttpHeaders>
  /** Undefined or empty without a body. */
  readonly body: Buffer | undefined
}

export interface Input {
  readonly params: Record<string, unknown>
  readonly query: Record<string, unknown>
  readonly body: unknown
  readonly idempotencyKey: string | undefined
}

/**
 * No body of the API nests deeper than 30 levels (a search filter at its own limit of 10, in the rules of a preview), and recursive checks must end
 * long before the stack does.
 */
const DEPTH_MAXIMUM = 32

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

const JSON_TYPE = /^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*"?utf-8"?[ \t]*)?;?$/i

/**
 * Compiles the parser of an endpoint's parameters and body.
 *
 * The only path from the wire to a handler: whatever the content type, a handler gets input that is valid by the schema
 * of its endpoint.
 */
export function compileInput(e: Endpoint): (raw: RawRequest) => Input {
  const readParams = compileFields(e.params, '#path')
  const readQuery = compileFields(e.query, '#query')
  const checkBody = e.body === undefined ? undefined : compileCheck(e.body)

  return (raw) => {
    const faults: Fault[] = []
    const params = readParams(raw.params, faults)
    const query = readQuery(raw.query, faults)
    const body = e.bodyIgnored === true ? undefined : readBody(e, checkBody, raw, faults)
    const idempotencyKey =
      e.idempotencyKey === true ? readKey(raw.headers['idempotency-key'], faults) : undefined
    if (faults.length > 0) throw InvalidRequest(faults)
    return { params, query, body, idempotencyKey }
  }
}

/** A repeated header arrives joined by a comma and a space, and so is invalid. */
function readKey(given: string | string[] | undefined, faults: Fault[]): string | undefined {
  if (given === undefined) return undefined
  if (typeof given === 'string' && IDEMPOTENCY_KEY.test(given)) return given
  faults.push({
    pointer: '#header/Idempotency-Key',
    code: 'pattern',
    message: 'must be 1 to 255 visible ASCII characters',
  })
  return undefined
}

function readBody(e: Endpoint, check: Check | undefined, raw: RawRequest, faults: Fault[]): unknown {
  if (raw.body === undefined || raw.body.length === 0) {
    if (check === undefined || e.bodyOptional === true) return undefined
    faults.push({ pointer: '', code: 'required', message: 'is missing' })
    return undefined
  }
  const value = parseJson(raw.body, raw.headers)
  if (check === undefined) {
    if (!isEmptyObject(value)) faults.push({ pointer: '', code: 'unexpected', message: 'must be empty' })
    return undefined
  }
  faults.push(...check(value))
  return value
}

function parseJson(bytes: Buffer, headers: RawRequest['headers']): unknown {
  const contentType = headers['content-type']
  const contentEncoding = headers['content-encoding']
  if (contentType === undefined || !JSON_TYPE.test(contentType.trim())) throw UnsupportedBody()
  if (contentEncoding !== undefined && contentEncoding.trim().toLowerCase() !== 'identity')
    throw UnsupportedBody()
  const fault = scan(bytes)
  if (fault !== undefined) throw MalformedRequest(fault)
  try {
    return secureJson.parse(utf8.decode(bytes), null, { protoAction: 'error', constructorAction: 'error' })
  } catch (cause) {
    throw MalformedRequest(`The body is not JSON: ${(cause as Error).message.slice(0, 120)}`)
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Checks the text before anything is built from it: counts brackets outside strings, and rejects NUL and lone surrogates,
 * which PostgreSQL cannot store. Unescaped surrogates are not valid UTF-8 in the first prefix.
 */
function scan(bytes: Buffer): string | undefined {
  let depth = 0
  let isInString = false
  for (let i = 0; i < bytes.length; i += 1) {
    const byte = bytes[i]
    if (isInString) {
      if (byte === BACKSLASH) {
        if (bytes[i + 1] === LETTER_U) {
          const unit = unitAt(bytes, i)
          if (unit === 0) return 'The body contains a NUL character.'
          if (isSurrogate(unit) && !(isHigh(unit) && isLow(unitAt(bytes, i + ESCAPE_LENGTH)))) {
            return 'The body contains a lone surrogate.'
          }
          // The low surrogate was checked with the high one.
          if (isSurrogate(unit)) i += ESCAPE_LENGTH
        }
        i += 1
      } else if (byte === QUOTE) isInString = false
    } else if (byte === QUOTE) isInString = true
    else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      depth += 1
      if (depth > DEPTH_MAXIMUM) return `The body nests deeper than ${DEPTH_MAXIMUM} levels.`
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) depth -= 1
  }
  return undefined
}

const ESCAPE_LENGTH = 6

/** The code unit of a `\uXXXX` at this index; NaN where there is none. */
function unitAt(bytes: Buffer, at: number): number {
  if (bytes[at] !== BACKSLASH || bytes[at + 1] !== LETTER_U) return Number.NaN
  return Number(`0x${bytes.toString('latin1', at + 2, at + ESCAPE_LENGTH)}`)
}

const isHigh = (unit: number) => unit >= 0xd800 && unit <= 0xdbff
const isLow = (unit: number) => unit >= 0xdc00 && unit <= 0xdfff
const isSurrogate = (unit: number) => unit >= 0xd800 && unit <= 0xdfff

const LETTER_U = 0x75
const QUOTE = 0x22
const BACKSLASH = 0x5c
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const isEmptyObject = (value: unknown) =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0

type Fields = Record<string, unknown>

/** Parses parameters by the type of their schema. */
function compileFields(schema: Endpoint['query'], prefix: '#path' | '#query') {
  if (schema === undefined) return () => ({})
  const properties = Object.entries(schema.properties as Record<string, { type?: string; default?: unknown }>)
  const check = compileCheck(schema, prefix)

  return (given: unknown, faults: Fault[]): Fields => {
    const before = faults.length
    const fields: Fields = {}
    for (const [name, property] of properties) {
      const value = (given as Fields)[name]
      if (value === undefined) {
        if (property.default !== undefined) fields[name] = property.default
      } else if (typeof value !== 'string') {
        faults.push({ pointer: `${prefix}/${name}`, code: 'repeated', message: 'must be given once' })
      } else if (value.includes('\0')) {
        faults.push({
          pointer: `${prefix}/${name}`,
          code: 'nul',
          message: 'must not contain a NUL character',
        })
      } else {
        fields[name] = fromText(value, property.type)
      }
    }
    if (faults.length === before) faults.push(...check(fields))
    return fields
  }
}

/** Text of another type stays text, so that the schema rejects it. */
function fromText(value: string, type: string | undefined): unknown {
  if (type === 'integer') return /^-?\d{1,15}$/.test(value) ? Number(value) : value
  if (type === 'boolean') return value === 'true' ? true : value === 'false' ? false : value
  return value
}
