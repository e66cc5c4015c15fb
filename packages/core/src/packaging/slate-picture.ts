/** The text of a slate, and the colour that distinguishes it from the others. */
export interface SlatePicture {
  readonly headline: string
  /** Below the headline; may be empty. */
  readonly name: string
  /** `0xrrggbb`. */
  readonly accent: string
}

export type SlateKind = 'rescue' | 'time_fill' | 'ad'

/** The picture of a slate of an account or a channel with this name. */
export function slatePicture(kind: SlateKind, name: string): SlatePicture {
  const shown = showable(name)
  if (kind === 'rescue') return { headline: 'We will be right back', name: shown, accent: '0xf2a541' }
  if (kind === 'ad') return { headline: 'Back after the break', name: shown, accent: '0x4aa3df' }
  return { headline: shown === '' ? 'More in a moment' : shown, name: '', accent: '0x3fb68b' }
}

const LONGEST = 60

/** Scripts of the font that need no shaping, which drawtext does not do. */
const DRAWABLE = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}\p{P}\p{Sc}\p{Sm}\p{Zs}]*$/u

/** Empty if the font has no glyphs for it: boxes on the air are worse than no name. */
function showable(name: string): string {
  const line = name.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  if (!DRAWABLE.test(line)) return ''
  const letters = [...line]
  return letters.length <= LONGEST
    ? line
    : `${letters
        .slice(0, LONGEST - 1)
        .join('')
        .trimEnd()}…`
}

/** The font size in pixels: the largest at which the line fits into four fifths of the picture's width. */
export function letterHeight(line: string, width: number, largest: number): number {
  // Average width of a letter of the font relative to its height, at most.
  const fitting = (width * 0.8) / (Math.max(1, [...line].length) * 0.62)
  return Math.max(8, Math.floor(Math.min(largest, fitting)))
}

/** Escapes a value for a filter graph: first for the filter, then for the graph. */
export const filterValue = (value: string): string =>
  value.replaceAll(/[\\':]/g, String.raw`\$&`).replaceAll(/[\\'[\],;]/g, String.raw`\$&`)
