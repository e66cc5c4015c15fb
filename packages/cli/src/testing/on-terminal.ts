/** The visible rows after a text with the control sequences of the board. */
export function onTerminal(text: string): string[] {
  const rows: string[] = []
  let row = 0
  let column = 0

  const control = (count: string, letter: string) => {
    const kept = (rows[row] ?? '').slice(0, column)
    if (letter === 'A') row = Math.max(0, row - Number(count))
    if (letter === 'K') rows[row] = kept
    if (letter === 'J') rows.splice(row, rows.length, ...(kept === '' ? [] : [kept]))
  }
  const write = (letter: string) => {
    const line = rows[row] ?? ''
    rows[row] = line.slice(0, column).padEnd(column) + letter + line.slice(column + 1)
    column += 1
  }

  const [start = '', ...rest] = text.split('\u001b[')
  for (const [at, part] of [start, ...rest].entries()) {
    const [sequence = '', count = '', letter = ''] = at === 0 ? [] : (/^\??(\d*)([A-Za-z])/.exec(part) ?? [])
    control(count, letter)
    for (const one of part.slice(sequence.length)) {
      if (one === '\r') column = 0
      else if (one === '\n') [row, column] = [row + 1, 0]
      else write(one)
    }
  }
  return rows
}
