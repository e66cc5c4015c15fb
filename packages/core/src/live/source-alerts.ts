import { type SignalTrouble, signalTroubles } from './signal-trouble.ts'
import type { SourceSituation } from './source-report.ts'

export const troubleAlert = (trouble: SignalTrouble) => `live_source.${trouble}` as const
export const SIGNAL_LOST = 'live_source.signal_lost'

export type SourceAlertCode = ReturnType<typeof troubleAlert> | typeof SIGNAL_LOST

export const sourceAlertCodes: readonly SourceAlertCode[] = [SIGNAL_LOST, ...signalTroubles.map(troubleAlert)]

/**
 * Whether each alert of a source should be open; a missing one stays as it is. Picture and sound of a source
 * are those of its first input that is received, which is what channels show. The signal-lost alert is opened
 * at the state change; here it is only closed.
 */
export function alertsOf({
  state,
  generation,
  reports,
}: Pick<SourceSituation, 'state' | 'generation' | 'reports'>): Partial<Record<SourceAlertCode, boolean>> {
  const lost = state === 'ERROR' || state === 'ACTIVATING' ? {} : { [SIGNAL_LOST]: false }
  const shown = reports.find(
    (report) => report?.generation === generation && report.condition === 'receiving',
  )
  if (state === 'ACTIVE' && shown === undefined) return lost
  const troubles = state === 'ACTIVE' ? (shown?.troubles ?? []) : []
  const ofTroubles = signalTroubles.map((trouble) => [troubleAlert(trouble), troubles.includes(trouble)])
  return { ...lost, ...Object.fromEntries(ofTroubles) }
}
