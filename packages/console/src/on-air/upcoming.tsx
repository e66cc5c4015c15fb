import { StatusBadge } from '../shared/status-badge.tsx'
import { readableTimes, utcMoment } from '../shared/times.ts'
import classes from './channel-page.module.css'
import { useUpcoming } from './on-air-queries.ts'

/** The next programs of a channel, with what is wrong with them. */
export function Upcoming({ channelId, nowMs }: { channelId: string; nowMs: number }) {
  const programs = useUpcoming(channelId)
  return (
    <section aria-label="Next programs">
      <h2>Next programs</h2>
      {programs === undefined && <p className={classes['hint']}>Loading…</p>}
      {programs?.length === 0 && (
        <p className={classes['hint']}>
          Nothing is scheduled in the next 24 hours. On air, the channel shows its fillers or its rescue
          slate.
        </p>
      )}
      <ol className={classes['list']}>
        {programs?.map(({ program_id, title, start_time, state, warnings }) => (
          <li key={`${program_id} ${start_time}`}>
            <time dateTime={start_time}>{utcMoment(Date.parse(start_time), nowMs)}</time>
            <span>
              {title} {state === 'FAILED' && <StatusBadge text={state} tone="bad" />}
              {warnings.map(({ code, message }) => (
                <span key={code} className={classes['warning']}>
                  {readableTimes(message, nowMs)}
                </span>
              ))}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
