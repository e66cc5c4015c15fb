import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link } from '../shared/router.tsx'
import { useServerNow } from '../shared/server-time.ts'
import { StatusBadge } from '../shared/status-badge.tsx'
import { readableTimes, utcMoment } from '../shared/times.ts'
import type { Alert } from '../shared/wire-types.ts'
import classes from './alert-list.module.css'
import { severityTones, worstFirst } from './alert-severity.ts'

const SHORT = 3

interface AlertListProps {
  readonly alerts: readonly Alert[]
  /** The name of what an alert is about; left out where the page is about it. */
  readonly nameOf?: (subjectId: string) => string | undefined
}

/** Open alerts, the worst first. */
export function AlertList({ alerts, nameOf }: AlertListProps) {
  const nowMs = useServerNow()
  const [isLong, setIsLong] = useState(false)
  if (alerts.length === 0) return null
  return (
    <section className={classes['alerts']} aria-label="Open alerts">
      <ul>
        {worstFirst(alerts)
          .slice(0, isLong ? undefined : SHORT)
          .map((alert) => (
            <li key={alert.alert_id}>
              <StatusBadge text={alert.severity} tone={severityTones[alert.severity]} />
              <AlertText alert={alert} name={nameOf?.(alert.subject_id)} nowMs={nowMs} />
              <time dateTime={alert.opened_at}>since {utcMoment(Date.parse(alert.opened_at), nowMs)}</time>
            </li>
          ))}
      </ul>
      {alerts.length > SHORT && (
        <Button size="compact-xs" variant="subtle" onClick={() => setIsLong(!isLong)}>
          {isLong ? 'Show fewer' : `Show all ${alerts.length} alerts`}
        </Button>
      )}
    </section>
  )
}

function AlertText({ alert, name, nowMs }: { alert: Alert; name: string | undefined; nowMs: number }) {
  const message = readableTimes(alert.message, nowMs)
  const to =
    alert.subject_type === 'linear_channel'
      ? `/on-air/${alert.subject_id}`
      : alert.subject_type === 'live_source'
        ? '/live-sources'
        : undefined
  return (
    <span className={classes['message']}>
      {to !== undefined && name !== undefined && (
        <>
          <Link to={to}>{name}</Link>:{' '}
        </>
      )}
      {message}
    </span>
  )
}
