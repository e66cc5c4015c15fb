/** The code of an unknown country. Countries are numbered from 1: AA, AB … ZZ. */
export const UNKNOWN = 0

/** ZZ is "unknown" in the data of Unicode and in most files, XX at some content networks. */
const UNKNOWN_NAMES: ReadonlySet<string> = new Set(['ZZ', 'XX'])

/** The country of two letters in any case, in capitals; undefined where it is none. */
export function readCountry(text: string): string | undefined {
  if (!TWO_LETTERS.test(text)) return undefined
  const country = text.toUpperCase()
  return UNKNOWN_NAMES.has(country) ? undefined : country
}

/** A country as a small number, to be stored a million times. Undefined for a text that is not a code. */
export function readCountryCode(text: string): number | undefined {
  // Some providers write a hyphen for unassigned ranges.
  if (text === '-') return UNKNOWN
  if (!TWO_LETTERS.test(text)) return undefined
  const country = readCountry(text)
  if (country === undefined) return UNKNOWN
  return (country.charCodeAt(0) - FIRST) * LETTERS + (country.charCodeAt(1) - FIRST) + 1
}

export const countryName = (code: number): string | undefined => names[code]

const TWO_LETTERS = /^[A-Za-z]{2}$/
const LETTERS = 26
const FIRST = 65

/** Created once, so that a lookup creates no strings. */
const names: readonly (string | undefined)[] = [
  undefined,
  ...Array.from({ length: LETTERS * LETTERS }, (_, index) =>
    String.fromCharCode(FIRST + Math.floor(index / LETTERS), FIRST + (index % LETTERS)),
  ),
]
