/*
 * The columns of a text on a terminal. If a line were longer than computed, it
 * would wrap, and a redraw would be off by a row.
 */

/** Ideographs, Hangul, full-width forms and emoji: two columns each. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]|\p{Emoji_Presentation}/u
/** Combining marks and format characters. */
const NARROW = /[\p{Mn}\p{Me}\p{Cf}]/u

export function columnsOf(text: string): number {
  return [...text].reduce((sum, letter) => sum + columnsOfLetter(letter), 0)
}

/** The text, or its beginning with an ellipsis if it is too long. */
export function clip(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text
  let kept = ''
  let left = columns - 1 // the ellipsis takes one
  for (const letter of text) {
    left -= columnsOfLetter(letter)
    if (left < 0) break
    kept += letter
  }
  return columns > 0 ? `${kept}…` : ''
}

/** The text in exactly this many columns. */
export function fit(text: string, columns: number): string {
  const clipped = clip(text, columns)
  return clipped + ' '.repeat(Math.max(0, columns - columnsOf(clipped)))
}

function columnsOfLetter(letter: string): number {
  if (NARROW.test(letter)) return 0
  return WIDE.test(letter) ? 2 : 1
}
