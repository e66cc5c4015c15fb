/** All but the characters that a document of XML 1.0 may hold (§2.2); half a surrogate pair is none of them. */
const FORBIDDEN = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

const LINE_ENDS = /\r\n?|[\u0085\u2028\u2029]/g
const SPACES = /[\t\n ]+/g

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
}

/** A text on one line, fit for an element or an attribute. */
export const printLine = (text: string): string => escapeText(lineOf(text))

/** A text that may have several lines. */
export const printParagraphs = (text: string): string => escapeText(paragraphsOf(text))

/** The text as a reader gets it from an element of one line. */
export const lineOf = (text: string): string => paragraphsOf(text).replaceAll(SPACES, ' ')

/** The text as a reader gets it from an element of several lines: a reader would make these ends of lines itself. */
export const paragraphsOf = (text: string): string =>
  text.replaceAll(FORBIDDEN, '').replaceAll(LINE_ENDS, '\n').trim()

const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
