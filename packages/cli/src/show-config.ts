import { describeConfig, settings } from '@continuity/server/owner'

type Environment = Readonly<Record<string, string | undefined>>

/** The settings as a table for people, or as JSON for scripts. Secrets are hidden in both. */
export function showConfig(env: Environment, options: { asJson: boolean }): string {
  const processes = Object.entries(settings).map(([process, list]) => ({
    process,
    settings: describeConfig(list, env),
  }))
  if (options.asJson) return JSON.stringify(processes, null, 2)
  return processes.map(({ process, settings: rows }) => `${process}\n${table(rows)}`).join('\n\n')
}

function table(rows: readonly { name: string; value: string; fallback: string; about: string }[]): string {
  const cells = [
    ['setting', 'now', 'default', 'for'],
    ...rows.map(({ name, value, fallback, about }) => [name, value, fallback, about]),
  ]
  const widths = [0, 1, 2].map((column) => Math.max(...cells.map((row) => row[column]!.length)))
  return cells
    .map((row) => `  ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  ')}`.trimEnd())
    .join('\n')
}
