/** Functions and operators of PromQL that our rules use, and the metric that Prometheus itself adds. */
const KNOWN = new Set(
  'sum min max count by rate increase abs absent histogram_quantile or and unless up le'.split(' '),
)

/** The names of the metrics in an expression of Prometheus. */
export function metricsOf(expression: string): string[] {
  const bare = expression
    .replaceAll(/\{[^}]*\}|\[[^\]]*\]|"[^"]*"/g, ' ')
    .replaceAll(/\bby\s*\([^)]*\)/g, ' ')
    .replaceAll(/\b\d[\d.e]*\b/g, ' ')
  const names = bare.match(/[a-zA-Z_:][a-zA-Z0-9_:]*/g) ?? []
  return [...new Set(names.filter((name) => !KNOWN.has(name)))]
}

/** The expressions of a file of rules: on one line, or folded (`>-`). */
export function expressionsOf(rules: string): string[] {
  return [...rules.matchAll(/^( *)expr: (?:>-\n((?:\1 +.*\n)+)|(.+)$)/gm)].map(
    ([, , folded, line]) => folded ?? line!,
  )
}
