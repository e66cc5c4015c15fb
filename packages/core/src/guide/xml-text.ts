/** All characters that are not allowed in XML 1.0 (§2.2), including unpaired surrogates. */
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

/** A text on one line, escaped for an element or an attribute. */
export const printLine = (text: string): string => escapeText(lineOf(text))

/** A text that may have several lines, escaped. */
export const printParagraphs = (text: string): string => escapeText(paragraphsOf(text))

/** The text of an element with one line, as a reader gets it. */
export const lineOf = (text: string): string => paragraphsOf(text).replaceAll(SPACES, ' ')

/**
 * The text of an element with several lines, as a reader gets it: a reader would normalize these line ends too.
 */
export const paragraphsOf = (text: string): string =>
  text.replaceAll(FORBIDDEN, '').replaceAll(LINE_ENDS, '\n').trim()

const escapeText = (text: string): string => text.replaceAll(/[&<>"']/g, (character) => ESCAPES[character]!)
