/** In ascending order. */
export const severities = ['INFO', 'WARNING', 'CRITICAL'] as const

export type Severity = (typeof severities)[number]

export const isAtLeast = (severity: Severity, minimum: Severity): boolean =>
  severities.indexOf(severity) >= severities.indexOf(minimum)
