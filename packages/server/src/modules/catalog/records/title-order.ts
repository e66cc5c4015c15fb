import { foldText } from '@continuity/core/text/fold-text'

/**
 * A cursor contains this and an id, and has at most 2,048 characters, which are
 * 1,520 bytes. A partner's id takes up to 1,020 of them, this up to 400.
 */
const ORDER_CHARACTERS = 100

/** The sort key of a name or a title: its first characters, without case and accents. */
export const titleOrderOf = (text: string): string =>
  Array.from(foldText(text)).slice(0, ORDER_CHARACTERS).join('')

/** Sorts after every title. */
export const LAST_TITLE_ORDER = '\u{10ffff}'.repeat(ORDER_CHARACTERS)
