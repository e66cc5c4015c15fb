/** Measured values by name. Names end in their unit. */
export type Figures = Readonly<Record<string, number | string>>

/** What a figure must be, by the figure's name. */
export type Targets = Readonly<Record<string, Target>>
export type Target =
  | { readonly atLeast: number; readonly atMost?: number }
  | { readonly atMost: number }
  | { readonly is: number }

export interface Measured {
  readonly figures: Figures
  readonly targets: Targets
}

export interface Verdict {
  readonly name: string
  /** In JSON null, where it is NaN. */
  readonly figure: number | string | null
  readonly target: string
  readonly isMet: boolean | undefined
}

export const NOT_MEASURED = 'not measured'

/** Holds every figure against its target. A target whose figure is missing is not met. */
export function judge({ figures, targets }: Measured): { verdicts: Verdict[]; pass: boolean } {
  const names = [...new Set([...Object.keys(figures), ...Object.keys(targets)])]
  const verdicts = names.map((name): Verdict => {
    const figure = figures[name] ?? NOT_MEASURED
    const target = targets[name]
    if (target === undefined) return { name, figure, target: '', isMet: undefined }
    return {
      name,
      figure,
      target: printTarget(target),
      isMet: typeof figure === 'number' && isMet(target, figure),
    }
  })
  return { verdicts, pass: verdicts.every(({ isMet }) => isMet !== false) }
}

function isMet(target: Target, figure: number): boolean {
  const { atLeast, atMost, is } = boundsOf(target)
  const isExact = is === undefined || figure === is
  // NaN is never met.
  return isExact && figure >= (atLeast ?? -Infinity) && figure <= (atMost ?? Infinity)
}

function printTarget(target: Target): string {
  const { atLeast, atMost, is } = boundsOf(target)
  const bounds = [
    ...(atLeast === undefined ? [] : [`at least ${atLeast}`]),
    ...(atMost === undefined ? [] : [`at most ${atMost}`]),
  ]
  return is === undefined ? bounds.join(', ') : `${is}`
}

const boundsOf = (
  target: Target,
): { readonly atLeast?: number; readonly atMost?: number; readonly is?: number } => target

/** The figures as a table for people. */
export function printTable(verdicts: readonly Verdict[]): string {
  const marks = new Map<boolean | undefined, string>([
    [true, 'met'],
    [false, 'NOT MET'],
    [undefined, ''],
  ])
  const rows = [
    ['figure', 'measured', 'target', ''],
    ...verdicts.map(({ name, figure, target, isMet }) => [
      name,
      String(figure),
      target,
      marks.get(isMet) ?? '',
    ]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]!.length)))
  return rows
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

export const median = (values: readonly number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

/** The value that so large a part of all is not above. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(part * sorted.length) - 1)] ?? Number.NaN
}

export const round = (value: number, decimals: number): number => Number(value.toFixed(decimals))
