import { foldText } from '@continuity/core/text/fold-text'

/**
 * A page's mark holds this and an id, and has 2,048 characters, which are
 * 1,520 bytes. An id of a partner takes up to 1,020 of them, this up to 400.
 */
const ORDER_CHARACTERS = 100

/** What a list goes by where it goes by a name or a title: its beginning, whatever its case and accents. */
export const titleOrderOf = (text: string): string =>
  Array.from(foldText(text)).slice(0, ORDER_CHARACTERS).join('')

/** No title comes after it, not even one of the last code point there is. */
export const LAST_TITLE_ORDER = '\u{10ffff}'.repeat(ORDER_CHARACTERS)
