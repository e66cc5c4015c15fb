import type { Screen } from './command.ts'
import { printable } from './table.ts'

/** Lines of a terminal that are drawn over and over. */
export interface Board {
  draw(lines: readonly string[]): void
  /** A line that stays, above those that are drawn. */
  say(line: string): void
}

/** No line goes on in the next row, whatever the terminal thinks of its width. */
const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
const CLEAR_LINE = '\u001b[K'
const CLEAR_BELOW = '\u001b[J'

/**
 * The cursor rests below the lines, so that whatever comes after them, also
 * from the shell, begins on a line of its own. Everything that changes the
 * terminal is undone in the same write: being killed in between leaves it as it was.
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
    say(line) {
      screen.write(`${toTop()}${CLEAR_BELOW}${printable(line)}\n${NO_WRAP}${textOf(drawn)}${WRAP}`)
    },
  }
}
