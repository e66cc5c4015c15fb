import type { Tone } from '../shared/status-badge.tsx'
import type { Alert } from '../shared/wire-types.ts'

export const severityTones: Readonly<Record<Alert['severity'], Tone>> = {
  CRITICAL: 'bad',
  WARNING: 'warning',
  INFO: 'busy',
}
const order: readonly Alert['severity'][] = ['CRITICAL', 'WARNING', 'INFO']

export const worstFirst = (alerts: readonly Alert[]): readonly Alert[] =>
  alerts.toSorted((a, b) => order.indexOf(a.severity) - order.indexOf(b.severity))
