import type { Arrival } from './mail-server.ts'
import type { Station } from './station.ts'

export interface Checked {
  readonly expected: number
  /** Alerts that were never mailed to a recipient. */
  readonly lost: number
  /** Mails to an unknown address, or about an alert of another account. */
  readonly invented: number
  readonly repeats: number
  /** Repeats with different bytes. */
  readonly otherBytes: number
  /** Alerts that were reported to a recipient in two mails. */
  readonly twice: number
}

/** Compares the mails that arrived with the alerts that were opened. */
export function checkArrivals(arrivals: readonly Arrival[], stations: readonly Station[]): Checked {
  const expected = new Map(stations.flatMap((station) => [...station.expected]))
  const bytes = new Map<string, string>()
  const reports = new Map<string, Set<string>>()
  let [invented, repeats, otherBytes] = [0, 0, 0]
  for (const { to, raw, messageId } of arrivals) {
    const known = bytes.get(`${to} ${messageId}`)
    if (known !== undefined) repeats += 1
    if (known !== undefined && known !== raw) otherBytes += 1
    bytes.set(`${to} ${messageId}`, raw)
    const alerts = expected.get(to)
    for (const alert of alertsIn(raw)) {
      if (!alerts?.includes(alert)) invented += 1
      const key = `${to} ${alert}`
      reports.set(key, (reports.get(key) ?? new Set()).add(messageId))
    }
  }
  const wanted = [...expected].flatMap(([to, alerts]) => alerts.map((alert) => `${to} ${alert}`))
  return {
    expected: wanted.length,
    lost: wanted.filter((key) => !reports.has(key)).length,
    invented,
    repeats,
    otherBytes,
    twice: [...reports.values()].filter(({ size }) => size > 1).length,
  }
}

/** Long lines are wrapped. */
const alertsIn = (raw: string): ReadonlySet<string> =>
  new Set(raw.replaceAll('=\r\n', '').match(/[a-z]+-?\d*\.alert\d+\./g) ?? [])
