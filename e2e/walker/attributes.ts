export type Attributes = ReadonlyMap<string, string>

const attribute = /([A-Z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(,|$)/y
const cueAttribute = /([A-Za-z0-9-]+)=("[^"\r\n]*"|[^",\s]+)(,|$)/y

/** Reads an attribute list with its quotes; undefined where it is not one, or says a name twice. */
export const readAttributes = (text: string): Attributes | undefined => readList(text, attribute)

/** The names in cue tags are spelled in small letters too. */
export const readCueAttributes = (text: string): Attributes | undefined => readList(text, cueAttribute)

function readList(text: string, pattern: RegExp): Attributes | undefined {
  const attributes = new Map<string, string>()
  pattern.lastIndex = 0
  for (;;) {
    const [, name = '', value = '', comma] = pattern.exec(text) ?? []
    if (name === '' || attributes.has(name)) return undefined
    attributes.set(name, value)
    // A sticky pattern fails at the end of the text, so a comma that nothing follows is refused in the next turn.
    if (comma === '') return attributes
  }
}

export function readInteger(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** Seconds, to milliseconds. */
export function readSecondsMs(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}(\.\d{1,9})?$/.test(text) ? Number(text) * 1_000 : undefined
}

export function readQuoted(text: string | undefined): string | undefined {
  return text?.startsWith('"') === true ? text.slice(1, -1) : undefined
}

/** A date with its zone: without one, players take the viewer's. */
export function readDateMs(text: string | undefined): number | undefined {
  if (text === undefined || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?(Z|[+-]\d\d:?\d\d)$/.test(text)) {
    return undefined
  }
  const ms = Date.parse(text)
  return Number.isNaN(ms) ? undefined : ms
}
