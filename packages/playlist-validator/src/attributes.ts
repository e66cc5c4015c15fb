export type Attributes = ReadonlyMap<string, string>

const attribute = /([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(,|$)/y
const cueAttribute = /([A-Za-z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(,|$)/y

/** Parses an attribute list, keeping quotes; undefined if it is malformed or repeats a name. */
export const readAttributes = (text: string): Attributes | undefined => readList(text, attribute)

/** Attribute names of cue tags may also contain lower case letters. */
export const readCueAttributes = (text: string): Attributes | undefined => readList(text, cueAttribute)

function readList(text: string, pattern: RegExp): Attributes | undefined {
  const attributes = new Map<string, string>()
  pattern.lastIndex = 0
  for (;;) {
    const [, name = '', value = '', comma] = pattern.exec(text) ?? []
    if (name === '' || attributes.has(name)) return undefined
    attributes.set(name, value)
    // A sticky pattern fails at the end of the text, so a trailing comma fails in the next iteration.
    if (comma === '') return attributes
  }
}

export function readInteger(text: string | undefined): number | undefined {
  const value = text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : undefined
  return value !== undefined && value <= Number.MAX_SAFE_INTEGER ? value : undefined
}

/** Converts seconds to milliseconds. */
export function readSecondsMs(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}(\.\d{0,20})?$/.test(text) ? Number(text) * 1_000 : undefined
}

export function readQuoted(text: string | undefined): string | undefined {
  return text?.startsWith('"') === true ? text.slice(1, -1) : undefined
}

const date = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?)(?:(Z)|([+-]\d\d):?(\d\d)?)?$/

/** rfc8216bis §4.4.4.6: without a time zone it is UTC. */
export function readDateMs(text: string | undefined): number | undefined {
  const [, local, , hours, minutes = '00'] = date.exec(text ?? '') ?? []
  if (local === undefined) return undefined
  const ms = Date.parse(hours === undefined ? `${local}Z` : `${local}${hours}:${minutes}`)
  return Number.isNaN(ms) ? undefined : ms
}

/** Players disagree about the time zone of a date that has none. */
export const hasZone = (text: string): boolean => /(?:Z|[+-]\d\d:?\d\d)$/.test(text)
