import type { Screen } from './command.ts'
import { printable } from './table.ts'

/** Lines of a terminal that are redrawn in place. */
export interface Board {
  draw(lines: readonly string[]): void
  /** A line that stays, above those that are drawn. */
  log(line: string): void
}

/** Disables line wrapping: the terminal may count the width of a character differently. */
const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/**
 * The cursor stays below the lines, so that later output, also of the shell,
 * begins on a new line. Every mode change of the terminal is undone in the same
 * write, so that a killed process leaves the terminal unchanged.
 */
export function createBoard(screen: Screen): Board {
  let drawn: readonly string[] = []

  const toTop = () => (drawn.length === 0 ? '' : `\r\u001b[${drawn.length}A`)
  const textOf = (lines: readonly string[]) => lines.map((line) => `${line}${CLEAR_LINE}\n`).join('')
  return {
    draw(lines) {
      screen.write(`${toTop()}${NO_WRAP}${textOf(lines)}${WRAP}${CLEAR_BELOW}`)
      drawn = lines
    },
    log(line) {
      screen.write(`${toTop()}${CLEAR_BELOW}${printable(line)}\n${NO_WRAP}${textOf(drawn)}${WRAP}`)
    },
  }
}
