import type { JsonSchema } from '@continuity/contract'
import { type Content, html, join } from './html.ts'
import { asList, mapValueOf, type Schemas, shapeOf, structureOf } from './schema-shape.ts'

/** The constraints of a value as short phrases: its values, its bounds and its default. */
export function boundsOf(value: unknown, schemas: Schemas): Content[] {
  const { schema } = shapeOf(value, schemas)
  const standard = 'default' in schema ? [['default ', word(schema.default)]] : []
  return [...limitsOf(value, schemas), ...standard]
}

/** The bounds of list items are shown with those of the list. */
function limitsOf(value: unknown, schemas: Schemas): Content[] {
  const { schema } = shapeOf(value, schemas)
  const own = ownBounds(schema)
  const inner = schema.items ?? mapValueOf(schema)
  if (inner === undefined) return own
  // The bounds of a record are shown where the record is opened.
  if (structureOf(inner, schemas) !== undefined) return own
  return [...own, ...ownBounds(shapeOf(inner, schemas).schema).map((bound) => ['each ', bound])]
}

/** As in an address, without quotes, except for the empty string. */
function word(value: unknown): Content {
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value)
  return html`<code>${text}</code>`
}

function ownBounds(schema: JsonSchema): Content[] {
  const values = asList(schema.enum)
  return [
    'const' in schema ? ['always ', word(schema.const)] : undefined,
    values.length === 0 ? undefined : ['one of ', join(values.map(word), ', ')],
    between(schema.minimum, schema.maximum, ''),
    between(schema.minLength, schema.maxLength, 'character'),
    between(schema.minItems, schema.maxItems, 'item'),
    between(schema.minProperties, schema.maxProperties, 'field'),
    schema.uniqueItems === true ? 'no repeats' : undefined,
    typeof schema.format === 'string' ? ['format ', html`<code>${schema.format}</code>`] : undefined,
    typeof schema.pattern === 'string' ? patternWords(schema.pattern) : undefined,
  ].filter((bound) => bound !== undefined)
}

function between(minimum: unknown, maximum: unknown, unit: string): string | undefined {
  const hasMinimum = typeof minimum === 'number' && !(unit === 'character' && minimum === 0)
  const hasMaximum = typeof maximum === 'number'
  if (hasMinimum && hasMaximum) {
    return minimum === maximum
      ? `exactly ${count(minimum, unit)}`
      : `${inDigits(minimum)} to ${count(maximum, unit)}`
  }
  if (hasMinimum) return `at least ${count(minimum, unit)}`
  return hasMaximum ? `at most ${count(maximum, unit)}` : undefined
}

function count(value: number, unit: string): string {
  if (unit === '') return inDigits(value)
  return `${inDigits(value)} ${unit}${value === 1 ? '' : 's'}`
}

const inDigits = (value: number) => value.toLocaleString('en')

/** Patterns with a readable phrase. An empty phrase: the description of a timestamp already contains it. */
const patternPhrases = new Map([
  ['^[^\\u0000-\\u001f\\u007f]+$', 'no control characters'],
  ['^https?://', 'http or https'],
  ['^[A-Za-z]{2}$', 'two letters'],
  ['Z$', ''],
])

// Longer ones are lists of alternatives, which their descriptions explain better.
const PATTERN_LENGTH_SHOWN = 60

function patternWords(pattern: string): Content {
  const phrase = patternPhrases.get(pattern)
  if (phrase !== undefined) return phrase === '' ? undefined : phrase
  if (pattern.length > PATTERN_LENGTH_SHOWN) return undefined
  return ['matches ', html`<code>${pattern}</code>`]
}
