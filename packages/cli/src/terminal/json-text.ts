/** Both from 1; columns are counted as editors do, in UTF-16 code units. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface JsonText {
  readonly value: unknown
  /** Where a value begins, by JSON pointer (RFC 6901). For a missing value, where its nearest parent does. */
  positionOf(pointer: string): Position
}

export type JsonResult =
  | ({ readonly kind: 'json' } & JsonText)
  | { readonly kind: 'rejected'; readonly fault: string; readonly position: Position }

/** Parses JSON, and remembers where each value is, so that a fault of a document can name its line. */
export function readJson(text: string): JsonResult {
  // Editors on Windows write a byte order mark, which is not valid JSON.
  const json = text.replace(/^\uFEFF/, '')
  const starts = new Map<string, number>()
  try {
    scan(json, starts)
  } catch (error) {
    if (!(error instanceof ScanFault)) throw error
    return { kind: 'rejected', fault: error.message, position: positionAt(json, error.at) }
  }
  const positionOf = (pointer: string): Position => {
    for (let known = pointer; ; known = known.slice(0, Math.max(0, known.lastIndexOf('/')))) {
      const at = starts.get(known)
      if (at !== undefined) return positionAt(json, at)
    }
  }
  return { kind: 'json', value: JSON.parse(json), positionOf }
}

class ScanFault extends Error {
  readonly at: number

  constructor(message: string, at: number) {
    super(message)
    this.at = at
  }
}

/** Far more than any document of the API, and less than the stack allows. */
const DEPTH_MAXIMUM = 500

const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SIMPLE = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?|true|false|null/y

function scan(text: string, starts: Map<string, number>): void {
  let at = 0
  const skip = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    const found = pattern.exec(text)?.[0]
    at += found?.length ?? 0
    return found
  }
  const next = (): string | undefined => {
    skip(SPACE)
    return text[at]
  }
  const fail = (expected: string): never => {
    const found = at >= text.length ? 'the end of the file' : JSON.stringify(text[at])
    throw new ScanFault(`expected ${expected}, found ${found}`, at)
  }
  const value = (pointer: string, depth: number): void => {
    const first = next()
    starts.set(pointer, at)
    if (depth > DEPTH_MAXIMUM) throw new ScanFault('nested too deeply', at)
    if (first === '{') members(pointer, depth)
    else if (first === '[') elements(pointer, depth)
    else if (skip(first === '"' ? STRING : SIMPLE) === undefined)
      fail(first === '"' ? 'a valid string' : 'a value')
  }
  const members = (pointer: string, depth: number): void => {
    list('}', () => {
      next()
      const name = skip(STRING) ?? fail('a name in double quotes')
      if (next() !== ':') fail('":"')
      at += 1
      value(`${pointer}/${escapeName(JSON.parse(name) as string)}`, depth + 1)
    })
  }
  const elements = (pointer: string, depth: number): void => {
    list(']', (index) => value(`${pointer}/${index}`, depth + 1))
  }
  const list = (close: '}' | ']', entry: (index: number) => void): void => {
    at += 1 // the opening bracket
    for (let index = 0; index > 0 || next() !== close; index += 1) {
      entry(index)
      if (next() === close) break
      if (text[at] !== ',') fail(`"," or "${close}"`)
      at += 1
    }
    at += 1
  }
  value('', 0)
  if (next() !== undefined) fail('the end of the file')
}

const escapeName = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1')

function positionAt(text: string, at: number): Position {
  const before = text.slice(0, at)
  const lineStart = before.lastIndexOf('\n') + 1
  return { line: before.split('\n').length, column: at - lineStart + 1 }
}
