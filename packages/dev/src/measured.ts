import type { Measured, Target } from './figures.ts'

type Figure = number | string

/** Figures with their targets beside them; without one, the figure is only shown. */
export function measured(
  table: Readonly<Record<string, Figure | readonly [figure: Figure, target: Target]>>,
): Measured {
  const figures: Record<string, Figure> = {}
  const targets: Record<string, Target> = {}
  for (const [name, entry] of Object.entries(table)) {
    if (typeof entry !== 'object') {
      figures[name] = entry
      continue
    }
    figures[name] = entry[0]
    targets[name] = entry[1]
  }
  return { figures, targets }
}
