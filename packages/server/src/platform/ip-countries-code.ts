/** Of an address that no country has, and of letters that mean so. Countries are counted from 1: AA, AB … ZZ. */
export const UNKNOWN = 0

/** ZZ is "unknown" in the data of Unicode and of most files, XX in that of some content networks. */
const NOWHERE: ReadonlySet<string> = new Set(['ZZ', 'XX'])

/** The country that two letters in any case name, in capitals; undefined where they name none. */
export function readCountry(text: string): string | undefined {
  if (!TWO_LETTERS.test(text)) return undefined
  const country = text.toUpperCase()
  return NOWHERE.has(country) ? undefined : country
}

/** A country as a small number, to be kept a million times. What is no code at all is undefined. */
export function readCountryCode(text: string): number | undefined {
  // Some makers write a hyphen for what belongs to nobody.
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

/** Made once, so that an answer makes no text. */
const names: readonly (string | undefined)[] = [
  undefined,
  ...Array.from({ length: LETTERS * LETTERS }, (_, index) =>
    String.fromCharCode(FIRST + Math.floor(index / LETTERS), FIRST + (index % LETTERS)),
  ),
]
