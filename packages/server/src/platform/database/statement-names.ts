/**
 * A connection plans a named statement once and keeps it. Most statements are few and frequent; the limit is for those
 * whose text depends on input, which stay unnamed once all names are used.
 */
const NAMES_MAXIMUM = 500

const names = new Map<string, string>()

export function statementNameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= NAMES_MAXIMUM) return known
  const name = `s${names.size}`
  names.set(text, name)
  return name
}
