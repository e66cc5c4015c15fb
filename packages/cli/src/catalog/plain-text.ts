import sax from 'sax'

/** The named entities of HTML, from sax. */
const { ENTITIES } = sax as unknown as { readonly ENTITIES: Readonly<Record<string, string>> }

/** Removes the tags from a text of an MRSS file, which is HTML, and decodes entities. */
export function plainText(html: string): string {
  return (
    html
      .replaceAll(/<(script|style)\b[^<>]*>[^<]*<\/\1\s*>/gi, ' ')
      .replaceAll(/<!--[^<>]*-->/g, ' ')
      .replaceAll(/<(?:br|\/p|\/div|\/li|\/h\d|\/tr)\b[^<>]*>/gi, '\n')
      // No "<" inside a tag: with it, a text of many "<" would take quadratic time.
      .replaceAll(/<[a-z/!?][^<>]*>/gi, '')
      .replaceAll(/&(#x[0-9a-f]{1,6}|#\d{1,7}|\w{1,31});/gi, (whole, name: string) => decode(name) ?? whole)
      .replaceAll(/[^\S\n]+/g, ' ')
      .replaceAll(/ ?\n ?/g, '\n')
      .replaceAll(/\n{3,}/g, '\n\n')
      .trim()
  )
}

function decode(name: string): string | undefined {
  if (!name.startsWith('#')) return ENTITIES[name]
  const code = /^#x/i.test(name) ? Number.parseInt(name.slice(2), 16) : Number.parseInt(name.slice(1), 10)
  const isCharacter = code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
