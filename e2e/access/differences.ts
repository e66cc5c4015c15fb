/** An answer or a row that is not as expected. */
export interface Difference {
  readonly operation: string
  readonly what: string
  readonly expected: string
  readonly got: string
}

/** The findings of one part of the proof. */
export interface Findings {
  /** Answers that were received, by operation. */
  readonly answers: AnswerCounts
  readonly differences: readonly Difference[]
}

export type AnswerCounts = ReadonlyMap<string, number>

/** Counts answers as they arrive. */
export function countAnswers() {
  const answers = new Map<string, number>()
  const count = (operationId: string) => void answers.set(operationId, (answers.get(operationId) ?? 0) + 1)
  return { answers, count }
}

/** The fewest answers of any of these operations. */
export const fewestAnswers = ({ answers }: Findings, operationIds: readonly string[]): number =>
  Math.min(...operationIds.map((id) => answers.get(id) ?? 0))

export const sumAnswers = ({ answers }: Findings): number =>
  [...answers.values()].reduce((sum, count) => sum + count, 0)

const MOST_LINES = 30
const CELL_WIDTH = 200

/** A table of the first differences. Most share a cause, so the first lines are enough. */
export function printDifferences(differences: readonly Difference[]): string {
  const rows = [
    ['operation', 'what', 'expected', 'got'],
    ...differences.slice(0, MOST_LINES).map(({ operation, what, ...texts }) => {
      const { expected, got } = fromFirstDifference(texts)
      return [operation, what, expected, got].map((cell) => cell.slice(0, CELL_WIDTH))
    }),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  const left = differences.length - MOST_LINES
  return [...lines.map((line) => line.trimEnd()), ...(left > 0 ? [`… and ${left} more`] : [])].join('\n')
}

/** Two long texts that begin alike are shown from shortly before they differ. */
function fromFirstDifference({ expected, got }: Pick<Difference, 'expected' | 'got'>) {
  let same = 0
  while (same < expected.length && expected[same] === got[same]) same += 1
  const from = same - 30
  return from > 0
    ? { expected: `…${expected.slice(from, from + 80)}`, got: `…${got.slice(from)}` }
    : { expected, got }
}
